"""The page as people use it, in a real browser: Debian's chromium, or the one that CAMELODDS_CHROMIUM names."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import camelodds as co

playwright = pytest.importorskip("playwright.sync_api")
pytest.importorskip("starlette")
from serving import serving  # noqa: E402

expect = playwright.expect

CHROMIUM = os.environ.get("CAMELODDS_CHROMIUM", "/usr/bin/chromium")
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
PHONE = {"width": 360, "height": 740}
LAPTOP = {"width": 1280, "height": 800}
START = "1:rb 2:g 3:yp 14:K 15:W"
GAME = f"{START} +5@ana / rgyp# | ana money=3 r5 | ben money=4 g5 p5 | winner ben=? | to_move ana"

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no browser at {CHROMIUM}"),
]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving() as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def contexts(browser: Any, address: str) -> Iterator[Any]:
    """Makes browser contexts that may ask this server alone, and fails if a page breaks."""
    made, broken = [], []

    def make(viewport: dict[str, int] = PHONE, **options: Any) -> Any:
        context = browser.new_context(viewport=viewport, **options)
        context.set_default_timeout(20_000)
        context.on("request", lambda request: request.url.startswith(address) or broken.append(request.url))
        context.on("weberror", lambda error: broken.append(str(error.error)))
        made.append(context)
        return context

    yield make
    for context in made:
        context.close()
    assert broken == []


def opened(context: Any, address: str, link: str = "") -> Any:
    page = context.new_page()
    page.goto(address + link)
    page.wait_for_selector("html[data-ready]")
    return page


def link(text: str, edition: str = "second") -> str:
    return f"#{edition}/" + text.replace(" | ", "~").replace(" ", ".").replace("#", "*")


def text_of(page: Any, expected: str | re.Pattern[str] = re.compile("")) -> str:
    """The position as text, once it is as expected."""
    field = page.get_by_label("The position as text")
    expect(field).to_have_value(expected)
    return str(field.input_value())


def begins(text: str) -> re.Pattern[str]:
    return re.compile("^" + re.escape(text))


def button(page: Any, name: str) -> Any:
    return page.get_by_role("button", name=name, exact=True)


def space(page: Any, number: int) -> Any:
    return page.locator(f"[data-space='{number}']")


def enter_start(page: Any) -> None:
    """Tap each camel's space in the order in which the page asks for them."""
    for number in (1, 1, 2, 3, 3, 15, 14):
        space(page, number).tap()
    expect(button(page, "Reveal")).to_have_attribute("aria-pressed", "true")


def reveal(page: Any, die: str, number: str) -> None:
    button(page, f"Reveal the {die} die").tap()
    button(page, number).tap()


def best(page: Any) -> tuple[str, float]:
    """The first action when all answers are there, and what it is worth."""
    page.wait_for_selector("#actions:not(.stale) #rows li[data-action]")
    row = page.locator("#rows li").first
    return str(row.get_attribute("data-action")), float(row.get_attribute("data-ev"))


def test_a_position_is_entered_played_and_answered_on_a_phone(contexts: Any, address: str) -> None:
    page = opened(contexts(has_touch=True, is_mobile=True), address)
    enter_start(page)
    text_of(page, f"{START} | you money=3 | to_move you")
    reveal(page, "red", "red 2")
    expect(page.get_by_role("status")).to_contain_text("The red die shows 2: red with 1 on top moves to 3.")
    reveal(page, "grey", "white 1")
    reveal(page, "blue", "blue 3")
    text_of(page, begins("2:g 3:ypr 6:b 14:KW / gyp |"))
    button(page, "Undo").tap()
    expect(button(page, "Reveal the blue die")).to_be_enabled()
    text_of(page, begins("2:g 3:yprb 14:KW / bgyp |"))
    button(page, "Tiles").tap()
    button(page, "Tile minus 1").tap()
    space(page, 6).tap()
    expect(space(page, 6)).to_have_attribute("aria-label", "Space 6: tile minus 1 of you")
    game = co.Game.parse(text_of(page, begins("2:g 3:yprb 14:KW -6@you / bgyp |")))
    first = co.actions(game).iloc[0]
    assert best(page) == (first.action, pytest.approx(first.ev, abs=0.02))


def test_the_position_survives_a_reload_and_opens_elsewhere(contexts: Any, address: str) -> None:
    page = opened(contexts(has_touch=True), address)
    enter_start(page)
    reveal(page, "purple", "purple 1")
    text = text_of(page, "1:rb 2:g 3:y 4:p 14:K 15:W / rbgy# | you money=3 pyramid=1 | to_move you")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    text_of(page, text)
    elsewhere = opened(contexts(LAPTOP), page.url)
    text_of(elsewhere, text)
    assert best(elsewhere) == best(page)


def test_an_unfinished_position_survives_a_reload(contexts: Any, address: str) -> None:
    page = opened(contexts(has_touch=True), address)
    space(page, 2).tap()
    space(page, 2).tap()
    expect(space(page, 2)).to_have_attribute("aria-label", "Space 2: red, blue, bottom to top")
    page.reload()
    expect(space(page, 2)).to_have_attribute("aria-label", "Space 2: red, blue, bottom to top")
    expect(page.locator("#middle")).to_contain_text("5 to place")


def test_every_row_is_that_of_the_library(contexts: Any, address: str) -> None:
    page = opened(
        contexts(LAPTOP), address, link("1:bg 2:wy 3:o | ana money=3 g5 | ben money=3 | to_move ben", "first")
    )
    best(page)
    page.locator("#more").click()
    shown = page.locator("#rows li").evaluate_all(
        "rows => rows.filter(row => row.dataset.action).map(row => [row.dataset.action, Number(row.dataset.ev)])"
    )
    frame = co.actions(co.Game.parse("1:bg 2:wy 3:o | ana money=3 g5 | ben money=3 | to_move ben", "first"))
    idle = frame[(frame["kind"] == "tile") & (frame["p_gain"] == 0) & (frame["ev"].abs() < 0.005)]
    assert [action for action, _ in shown] == list(frame.drop(idle.index)["action"])
    assert [ev for _, ev in shown] == pytest.approx(list(frame.drop(idle.index)["ev"]))
    assert f"{len(idle)} tiles on which nothing lands" in page.locator("#rows").inner_text()


def test_the_keyboard_alone_is_enough(contexts: Any, address: str) -> None:
    page = opened(contexts(LAPTOP), address)

    def to(name: str) -> None:
        for _ in range(150):
            if (
                page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent")
                == name
            ):
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"no way to {name!r} by the tabulator")

    to("Example")
    page.keyboard.press("Enter")
    expect(button(page, "Reveal the red die")).to_be_visible()
    to("Reveal the red die")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    to("red 3")
    page.keyboard.press("Space")
    expect(space(page, 4)).to_have_attribute("aria-label", "Space 4: red, blue, bottom to top")
    to("Tiles")
    page.keyboard.press("Enter")
    to("Space 1: empty")
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(space(page, 6)).to_have_attribute("aria-label", "Space 6: tile plus 1 of you")
    page.keyboard.press("Control+z")
    expect(space(page, 6)).to_have_attribute("aria-label", "Space 6: empty")
    page.keyboard.press("Control+y")
    expect(space(page, 6)).to_have_attribute("aria-label", "Space 6: tile plus 1 of you")
    text_of(page, "2:g 3:yp 4:rb 14:K 15:W +6@you / bgyp# | you money=3 pyramid=1 | to_move you")


def test_a_leg_ends_and_the_next_begins_in_one_tap(contexts: Any, address: str) -> None:
    page = opened(contexts(has_touch=True), address, link(f"{START} / ry | ana money=3 p5 | ben money=3 | to_move ana"))
    reveal(page, "yellow", "yellow 1")
    expect(page.locator("#middle")).to_contain_text("The leg is over: purple is first, yellow is second.")
    button(page, "Next leg").tap()
    expect(button(page, "Reveal the grey die")).to_be_visible()
    text_of(page, "1:rb 2:g 4:yp 14:K 15:W | ana money=9 | ben money=3 | to_move ben")


def test_players_tickets_and_cards_are_entered(contexts: Any, address: str) -> None:
    page = opened(contexts(has_touch=True), address, link(f"{START} | ana money=3 | to_move ana"))
    page.get_by_label("Name of a new player").fill("ben")
    button(page, "Add player").tap()
    page.get_by_label("A ticket for ben").select_option("r5")
    button(page, "ben's money: one more").tap()
    page.get_by_label("Colour of the winner card").select_option("g")
    button(page, "Add to the winner cards").tap()
    expect(button(page, "winner card 1, ana, green: take back")).to_be_visible()
    page.get_by_label("Name of ben").fill("eva")
    page.get_by_label("Name of ben").press("Enter")
    expect(page.get_by_label("Name of eva")).to_be_visible()
    text_of(page, f"{START} | ana money=3 | eva money=4 r5 | winner ana=g | to_move ana")
    button(page, "eva's red 5: give back").tap()
    button(page, "Remove ana").tap()
    expect(page.get_by_label("Name of ana")).to_have_count(0)
    text_of(page, f"{START} | eva money=4 | to_move eva")


def test_an_action_is_done_in_one_tap(contexts: Any, address: str) -> None:
    page = opened(contexts(has_touch=True), address, link(f"{START} | ana money=3 | ben money=3 | to_move ana"))
    assert best(page)[0] == "ticket p5"
    button(page, "Take purple 5: do it").tap()
    expect(page.get_by_label("Whose turn")).to_have_value("ben")
    text_of(page, f"{START} | ana money=3 p5 | ben money=3 | to_move ben")


def test_a_card_is_turned_up_in_its_place(contexts: Any, address: str) -> None:
    text = f"{START} | Ana money=3 | Ben money=3 | Cleo money=3 | winner Ben=? Cleo=r Ana=r | to_move Ana"
    page = opened(contexts(has_touch=True), address, link(text))
    page.get_by_label("winner card 1, Ben, face down: turn it up").select_option("r")
    text_of(page, text.replace("Ben=?", "Ben=r"))


def test_a_second_tap_does_nothing_until_the_next_position_is_drawn(contexts: Any, address: str) -> None:
    page = opened(contexts(has_touch=True), address, link(f"{START} | ana money=3 | ben money=3 | to_move ana"))
    best(page)
    page.evaluate(
        "() => { const row = document.querySelector('#rows button'); row.click(); row.click(); row.click(); }"
    )
    text_of(page, f"{START} | ana money=3 p5 | ben money=3 | to_move ben")
    page.wait_for_selector("#actions:not(.stale)")
    text_of(page, f"{START} | ana money=3 p5 | ben money=3 | to_move ben")


def test_a_damaged_link_is_named_and_its_text_stays(contexts: Any, address: str) -> None:
    page = opened(contexts(has_touch=True), address, "#second/1:rb%ZZ.2:g")
    page.get_by_text("The link is damaged").wait_for()
    text_of(page, "1:rb%ZZ 2:g")
    assert opened(contexts(), address, "#second/1:rz").get_by_label("The position as text").input_value() == "1:rz"


def test_camels_are_moved_and_put_in_order(contexts: Any, address: str) -> None:
    page = opened(contexts(has_touch=True), address, link(f"{START} | ana money=3 | to_move ana"))
    button(page, "Camels").tap()
    button(page, "red camel").tap()
    button(page, "Higher").tap()
    expect(space(page, 1)).to_have_attribute("aria-label", "Space 1: blue, red, bottom to top")
    expect(button(page, "red camel")).to_have_attribute("aria-pressed", "true")
    button(page, "green camel").tap()
    space(page, 5).tap()
    expect(space(page, 5)).to_have_attribute("aria-label", "Space 5: green, bottom to top")


def test_mistakes_are_answered_in_plain_words(contexts: Any, address: str) -> None:
    page = opened(contexts(has_touch=True), address, link(f"{START} | ana money=3 | to_move ana"))
    button(page, "Tiles").tap()
    space(page, 3).tap()
    expect(page.get_by_role("status")).to_contain_text("no tile on space 3: camels stand there")
    page.get_by_label("The position as text").fill("1:rb 2:gx")
    button(page, "Use text").tap()
    expect(page.get_by_role("status")).to_contain_text("x is not a camel of the 2nd edition")
    opened(contexts(), address, "#second/1:rx").get_by_text("x is not a camel of the 2nd edition").wait_for()
    opened(contexts(), address, "#third/1:rb").get_by_text("No edition is called third.").wait_for()


@pytest.mark.parametrize("viewport", [PHONE, LAPTOP], ids=["phone", "laptop"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_is_read_on_its_ground_and_nothing_is_cut(
    scheme: str, viewport: dict[str, int], contexts: Any, address: str
) -> None:
    page = opened(contexts(viewport, color_scheme=scheme), address, link(GAME))
    best(page)
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", ground)[:3])) < 200) == (scheme == "dark")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    too_faint = page.evaluate(CONTRAST)
    assert too_faint == []
    for mode in ("Reveal", "Camels", "Tiles", "Dice"):
        button(page, mode).click()
        assert page.evaluate(
            "middle.scrollHeight <= middle.clientHeight + 1 && middle.scrollWidth <= middle.clientWidth + 1"
        )


@pytest.mark.parametrize("link_text", ["", GAME], ids=["empty", "game"])
def test_every_control_has_a_name_and_room_for_a_finger(link_text: str, contexts: Any, address: str) -> None:
    page = opened(contexts(), address, link(link_text) if link_text else "")
    if link_text:
        best(page)
    for mode in ("Camels", "Tiles", "Dice", "Reveal"):
        if button(page, mode).is_enabled():
            button(page, mode).click()
        nameless, small = page.evaluate(CONTROLS)
        assert nameless == []
        assert small == []


def test_nothing_jumps_when_the_answers_come(contexts: Any, address: str) -> None:
    page = opened(contexts(), address, link(GAME.replace("ben=?", "ben=g")))
    best(page)
    before = page.evaluate(TOPS)
    page.evaluate(WATCH_SHIFTS)
    button(page, "Reveal the red die").click()
    button(page, "red 1").click()
    text_of(page, re.compile("to_move ben$"))
    best(page)
    assert page.evaluate(TOPS) == before
    assert page.evaluate("window.shifts") < 0.02


TOPS = "['odds', 'actions', 'players'].map(id => document.getElementById(id).getBoundingClientRect().top + scrollY)"
WATCH_SHIFTS = """() => { window.shifts = 0; new PerformanceObserver(list => list.getEntries().forEach(
    each => { window.shifts += each.value })).observe({ type: 'layout-shift', buffered: false }) }"""
CONTROLS = """() => {
    const nameless = [], small = [];
    for (const each of document.querySelectorAll('button, select, input, textarea')) {
        const box = each.getBoundingClientRect();
        if (!box.width) continue;
        const name = each.getAttribute('aria-label') || each.labels?.[0]?.textContent || each.textContent;
        if (!name.trim()) nameless.push(each.outerHTML);
        if (box.width < 44 || box.height < 44) small.push(each.outerHTML);
    }
    return [nameless, small];
}"""
CONTRAST = """() => {
    const parse = colour => colour.match(/[\\d.]+/g).map(Number);
    const linear = v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
    const light = ([r, g, b]) => [r, g, b].map(v => linear(v / 255))
        .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
    const ground = node => {
        const over = [];
        for (let at = node; at; at = at.parentElement) {
            const [r, g, b, a = 1] = parse(getComputedStyle(at).backgroundColor);
            over.push([r, g, b, a]);
            if (a === 1) break;
        }
        const mixed = (below, [r, g, b, a]) => [r, g, b].map((v, i) => v * a + below[i] * (1 - a));
        return over.reverse().reduce(mixed, [255, 255, 255]);
    };
    const faint = [];
    for (const node of document.querySelectorAll('.panel *, #modes *, header *, .die')) {
        const own = [...node.childNodes].some(child => child.nodeType === 3 && child.textContent.trim());
        if (!own || node.closest(':disabled, .hidden, #middle [disabled]')) continue;
        const [one, other] = [light(parse(getComputedStyle(node).color)), light(ground(node))].sort((a, b) => b - a);
        if ((one + .05) / (other + .05) < 4.5) faint.push([node.textContent, (one + .05) / (other + .05)]);
    }
    return faint;
}"""
