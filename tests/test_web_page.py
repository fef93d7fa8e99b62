"""The page as people at a table use it, in a real browser: Debian's chromium, or what CAMELODDS_CHROMIUM names."""

from __future__ import annotations

import gzip
import os
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import camelodds as co

playwright = pytest.importorskip("playwright.sync_api")
pytest.importorskip("starlette")
from serving import serving  # noqa: E402

from camelodds.web import checks, static  # noqa: E402

expect = playwright.expect

CHROMIUM = os.environ.get("CAMELODDS_CHROMIUM", "/usr/bin/chromium")
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
PHONE = {"width": 360, "height": 740}
LANDSCAPE = {"width": 740, "height": 360}
LAPTOP = {"width": 1280, "height": 800}
START = "1:rb 2:g 3:yp 14:K 15:W"
SPICY = "1:bg 2:wy 3:o"
NAMES = {"r": "red", "b": "blue", "g": "green", "y": "yellow", "p": "purple", "o": "orange", "w": "white", "#": "grey"}
SHOWN = {"white": "crazy white", "black": "crazy black"}
TABS = ("What happened", "My advice", "Odds", "Players", "Table")

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
        options.setdefault("has_touch", True)
        options.setdefault("locale", "en-GB")
        context = browser.new_context(viewport=viewport, **options)
        context.set_default_timeout(30_000)
        context.on("request", lambda request: request.url.startswith((address, "blob:")) or broken.append(request.url))
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


def button(page: Any, name: str) -> Any:
    return page.get_by_role("button", name=name, exact=True)


def tab(page: Any, name: str) -> None:
    page.get_by_role("tab", name=name).tap()


def game_of(page: Any) -> dict[str, Any]:
    """The table as the server has it, asked with the page's own key."""
    found: dict[str, Any] = page.evaluate(
        """async () => {
            const key = location.hash.split('/')[1];
            return (await fetch('api/table', { headers: { Authorization: `Bearer ${key}` } })).json();
        }"""
    )
    return found


def space(page: Any, number: int) -> Any:
    return page.locator(f"[data-space='{number}']")


def play(page: Any, action: str, roll: tuple[str, int] | None, seen: int) -> None:
    """Enter an action by touch; `seen` events are there before."""
    plain, _, support = action.partition(" + support ")
    kind, *rest = plain.split()
    if kind == "reveal":
        assert roll
        die, number = roll
        sign = "#" if die in SHOWN else die
        named = f"{NAMES[sign[0]]} support" if sign.endswith("+") else NAMES[sign]
        button(page, "Die").tap()
        button(page, named).tap()
        button(page, f"{SHOWN.get(die, named)} {number}").tap()
    elif kind == "ticket":
        button(page, "Ticket").tap()
        button(page, f"Take {NAMES[rest[0][0]]} {rest[0][1:]}").tap()
    elif kind == "tile":
        button(page, "Tile").tap()
        button(page, "tile +1" if rest[0][0] == "+" else "tile −1").tap()
        space(page, int(rest[0][1:])).tap()
    elif rest == ["?"]:
        button(page, kind.capitalize()).tap()
    else:
        button(page, "More").tap()
        if kind == "camera":
            button(page, "Camera").tap()
        page.locator(f"[data-key='{plain}']").tap()
    offered = page.get_by_role("heading", name="A support die as well?")
    confirmed = page.locator(f"body[data-events='{seen + 1}']")
    offered.or_(confirmed).first.wait_for(state="attached")
    if offered.count():
        (button(page, f"{NAMES[support]} support") if support else button(page, "none")).tap()
    confirmed.wait_for(state="attached")


def follows(page: Any, events: int) -> None:
    page.locator(f"body[data-events='{events}']").wait_for(state="attached")


def chosen(game: co.Game, rng: random.Random) -> tuple[str, tuple[str, int] | None]:
    """What somebody does: mostly dice, now and then anything that the rules allow."""
    roll = None
    names = [name for name in game.legal_actions() if not name.startswith(("reveal", "winner", "loser"))]
    names += ["winner ?", "loser ?"] if any(n.startswith("winner") for n in game.legal_actions()) else []
    if rng.random() < 0.6:
        rolls = [shown for shown, _ in game.chance_outcomes()]
        roll = rng.choice(rolls)
        return rng.choice(game.legal_actions(roll)), roll
    kind = rng.choice(sorted({name.split()[0] for name in names}))
    return rng.choice([name for name in names if name.startswith(kind)]), roll


def test_a_whole_race_by_touch_on_two_phones_with_an_interrupted_network(contexts: Any, address: str) -> None:
    """It ends in the money that the library computes."""
    rng = random.Random(7)
    one_context, other_context = contexts(is_mobile=True), contexts(is_mobile=True)
    text = f"{START} | ana money=3 | ben money=3 | cem money=3 | to_move ana"
    one = opened(one_context, address, link(text))
    one.locator(".six").wait_for()
    other = opened(other_context, address, "#" + one.url.partition("#")[2])
    other.locator(".six").wait_for()
    history = co.History(co.Game.parse(text))
    while not history.game.board.race_over and len(history.events) < 150:
        count = len(history.events)
        action, roll = chosen(history.game, rng)
        tapping, watching = (one, other) if count % 2 else (other, one)
        if count == 5:
            other_context.set_offline(True)
            tapping, watching = one, one
        if count == 9:
            other_context.set_offline(False)
        if 5 <= count < 9:
            tapping, watching = one, one
        play(tapping, action, roll, count)
        history = history.apply(action, roll)
        follows(watching, count + 1)
    assert history.game.board.race_over
    for deck, cards in (("winner", history.game.winner_cards), ("loser", history.game.loser_cards)):
        owned: dict[str, int] = {}
        for at, (owner, colour) in enumerate(cards):
            if colour is None:
                turned = [c for n, c in (*history.game.winner_cards, *history.game.loser_cards) if n == owner and c]
                free = next(letter for letter in "rbgyp" if letter not in turned)
                card = one.get_by_label(f"Card {at + 1} of {owner}, face down: turn it up")
                (card.first if deck == "winner" else card.last).select_option(free)
                placed = [number for number, e in enumerate(history.events) if e.action.startswith(deck)]
                event = history.events[placed[at]]._replace(action=f"{deck} {free}")
                events = (*history.events[: placed[at]], event, *history.events[placed[at] + 1 :])
                history = co.History(history.start, events)
                expect_cards(one, history)
            owned[owner] = owned.get(owner, 0) + 1
    money = history.game.returns()
    for page in (one, other):
        expect(page.locator("#final li")).to_have_count(3)
        shown = [re.fullmatch(r"(\w+) £(\d+)", row) for row in page.locator("#final li").all_inner_texts()]
        assert {row[1]: int(row[2]) for row in shown if row} == money
    one.get_by_role("button", name="How did it go?").tap()
    one.locator("#pictures .course").wait_for()
    with one.expect_download() as download:
        button(one, "Take the game home").tap()
    assert co.History.from_json_lines(Path(download.value.path()).read_text()).game == history.game


def expect_cards(page: Any, history: co.History) -> None:
    known = sum(colour is not None for _, colour in (*history.game.winner_cards, *history.game.loser_cards))
    page.wait_for_function(
        """async known => {
            const key = location.hash.split('/')[1];
            const headers = { Authorization: `Bearer ${key}` };
            const { position } = await (await fetch('api/table', { headers })).json();
            const cards = [...position.game.winner_cards, ...position.game.loser_cards];
            return cards.filter(card => card[1]).length === known;
        }""",
        arg=known,
    )
    page.wait_for_timeout(150)


def test_a_spicy_supercup_leg_by_touch_on_two_phones(contexts: Any, address: str) -> None:
    rng = random.Random(3)
    text = f"{SPICY} | " + " | ".join(f"p{seat} money=3" for seat in range(6)) + " | to_move p0"
    one = opened(contexts(is_mobile=True), address, link(text, "supercup-spicy"))
    one.locator(".six").wait_for()
    other = opened(contexts(is_mobile=True), address, "#" + one.url.partition("#")[2])
    history = co.History(co.Game.parse(text, checks.PLAYED["supercup-spicy"]))
    kinds = set()
    while history.legs[-1] == 1 and len(history.events) < 60:
        count = len(history.events)
        action, roll = chosen(history.game, rng)
        new = [name for name in history.game.legal_actions() if name.split()[0] not in {*kinds, "reveal"}]
        if new and count % 2:
            action, roll = rng.choice([name for name in new if name.split()[0] not in ("winner", "loser")] or new), None
            action = action if action.split()[0] not in ("winner", "loser") else f"{action.split()[0]} ?"
        kinds |= set(re.findall(r"[a-z]{4,}", action))
        play(*((one if count % 2 else other), action, roll, count))
        history = history.apply(action, roll)
        follows(other if count % 2 else one, count + 1)
    assert {"reveal", "support", "camera", "position", "partner", "tile", "ticket"} <= kinds
    assert game_of(one)["position"]["text"] == str(history.game)
    expect(one.locator(".scored")).to_be_visible()


def test_a_position_in_mid_game_of_five_players_is_set_up_in_under_20_taps(contexts: Any, address: str) -> None:
    context = contexts(is_mobile=True)
    context.add_init_script(
        "try { localStorage.setItem('names', JSON.stringify(['ana', 'ben', 'cem', 'dia', 'eli'])) } catch {}"
    )
    page = opened(context, address)
    taps = 0

    def tap(control: Any) -> None:
        nonlocal taps
        taps += 1
        control.tap()

    for number in (4, 4, 5, 7, 7, 12, 13):
        tap(space(page, number))
    tap(page.locator("[data-key='out-r']"))
    tap(page.locator("[data-key='held-p']"))
    tap(page.locator("[data-key='holder-ben']"))
    tap(page.locator("[data-key='out-#']"))
    tap(page.locator("[data-key='held-y']"))
    tap(page.locator("[data-key='holder-cem']"))
    tap(page.locator("[data-key='held-y']"))
    tap(button(page, "Start"))
    page.locator(".six").wait_for()
    expected = "4:rb 5:g 7:yp 12:W 13:K / bgyp | ana money=3 p5 pyramid=1 | ben money=3 y5 pyramid=1 | cem money=3 y3"
    assert game_of(page)["position"]["text"] == f"{expected} | dia money=3 | eli money=3 | to_move ana"
    assert taps < 20


def test_a_race_starts_by_what_the_dice_show(contexts: Any, address: str) -> None:
    page = opened(contexts(is_mobile=True), address)
    for number in (2, 1, 3, 1, 2, 1, 3):
        page.locator(f"[data-key='rolled-{number}']").tap()
    button(page, "Start").tap()
    page.locator(".six").wait_for()
    assert game_of(page)["position"]["text"].startswith("1:by 2:rp 3:g 14:K 16:W |")


def test_a_mistake_made_turns_ago_is_mended_by_touch_and_survives_a_reload(contexts: Any, address: str) -> None:
    page = opened(contexts(is_mobile=True), address, link(f"{START} | ana | ben | cem | to_move ana"))
    play(page, "reveal", ("r", 2), 0)
    play(page, "ticket p5", None, 1)
    play(page, "winner ?", None, 2)
    tab(page, "Players")
    page.get_by_text("What was done").tap()
    page.get_by_role("button", name="Change: ana revealed red 2").tap()
    page.get_by_text("Instead of: ana revealed red 2").wait_for()
    button(page, "Die").tap()
    button(page, "red").tap()
    button(page, "red 3").tap()
    page.locator("[data-space='4'][aria-label*='red']").wait_for()
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert [event["number"] for event in game_of(page)["events"]] == [3, None, None]
    page.locator("#undo").tap()
    page.locator("[data-space='3'][aria-label*='red']").wait_for()
    page.locator("#redo").tap()
    page.locator("[data-space='4'][aria-label*='red']").wait_for()


def test_back_goes_to_the_view_before_and_not_away(contexts: Any, address: str) -> None:
    page = opened(contexts(is_mobile=True), address, link(f"{START} | ana | ben | cem | to_move ana"))
    tab(page, "Odds")
    tab(page, "Players")
    page.go_back()
    expect(page.get_by_role("tab", name="Odds")).to_have_attribute("aria-selected", "true")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    expect(page.get_by_role("tab", name="Odds")).to_have_attribute("aria-selected", "true")


def test_a_second_tap_does_nothing_until_the_next_position_is_there(contexts: Any, address: str) -> None:
    page = opened(contexts(is_mobile=True), address, link(f"{START} | ana | ben | cem | to_move ana"))
    button(page, "Ticket").tap()
    page.evaluate("document.querySelectorAll('.choices button').forEach(each => each.click())")
    follows(page, 1)
    page.wait_for_timeout(300)
    assert len(game_of(page)["events"]) == 1


def test_my_advice_is_that_of_the_library_and_knows_my_own_card(contexts: Any, address: str) -> None:
    page = opened(
        contexts(is_mobile=True),
        address,
        link(f"{SPICY} | ana money=3 | ben money=3 | to_move ana", "first"),
    )
    tab(page, "Players")
    button(page, "I am ana").tap()
    tab(page, "What happened")
    button(page, "Winner").tap()
    button(page, "Bet green wins").tap()
    follows(page, 1)
    assert game_of(page)["events"][0]["action"] == "winner ?"
    tab(page, "My advice")
    rows = page.locator("#rows li[data-action]")
    rows.first.wait_for()
    frame = co.actions(co.Game.parse(f"{SPICY} | ana | ben | winner ana=g | to_move ben", "first"), "ana")
    assert rows.first.get_attribute("data-action") == frame["action"][0]
    assert float(rows.first.get_attribute("data-ev")) == pytest.approx(frame["ev"][0])


def test_wrong_links_leave_a_page_that_can_be_used(contexts: Any, address: str) -> None:
    page = opened(contexts(), address, "#second/1:rb%ZZ.2:g")
    page.get_by_text("The link is damaged").wait_for()
    assert page.get_by_label("The position as text").input_value() == "1:rb%ZZ 2:g"
    page = opened(contexts(), address, "#second/1:rz | ana")
    assert "1:rz" in page.get_by_label("The position as text").input_value()
    page = opened(contexts(), address, "#t/nothing")
    page.get_by_text("There is no such table").wait_for()
    expect(page.locator("#ask")).to_be_visible()


def in_every_view(page: Any) -> Iterator[str]:
    yield "set-up"
    button(page, "Example").click()
    yield "holding"
    button(page, "Start").click()
    page.locator(".six").wait_for()
    for name in ("Ticket", "Tile", "More"):
        button(page, name).click()
        yield name
        page.locator("[data-key='cancel']").click()
    for name in TABS:
        page.get_by_role("tab", name=name).click()
        if name == "My advice":
            page.locator("#rows li[data-action]").first.wait_for()
        if name == "Table":
            page.locator("#code path").wait_for()
        yield name


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [PHONE, LANDSCAPE, LAPTOP], ids=["phone", "landscape", "laptop"])
def test_nothing_in_any_view_keeps_anybody_out(
    viewport: dict[str, int], scheme: str, contexts: Any, address: str
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = opened(contexts(viewport, color_scheme=scheme), address)
    for view in in_every_view(page):
        page.evaluate("document.getAnimations().forEach(each => each.finish())")
        found = axe.run(page).response["violations"]
        named = [(each["id"], [node["html"][:200] for node in each["nodes"]][:3]) for each in found]
        assert named == [], view
        assert page.evaluate(CONTROLS) == [], view
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), view


@pytest.mark.parametrize("viewport", [PHONE, LANDSCAPE], ids=["phone", "landscape"])
def test_everything_is_reached_with_text_of_200_percent(viewport: dict[str, int], contexts: Any, address: str) -> None:
    page = opened(contexts(viewport), address)
    page.evaluate("document.documentElement.style.fontSize = '32px'")
    for view in in_every_view(page):
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), view
        assert page.evaluate(BOARD_SHOWN), view
        assert page.evaluate("panel.scrollWidth <= panel.clientWidth + 1"), view


def test_the_keyboard_alone_is_enough(contexts: Any, address: str) -> None:
    page = opened(contexts(LAPTOP, has_touch=False), address, link(f"{START} | ana | ben | cem | to_move ana"))
    page.locator(".six").wait_for()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    stops = 0
    while page.evaluate("document.activeElement.dataset.key") != "die":
        page.keyboard.press("Tab")
        stops += 1
        assert stops < 8
    page.keyboard.press("Enter")
    for key in ("die-r", "shows-r-3"):
        for _ in range(12):
            if page.evaluate("document.activeElement.dataset.key") == key:
                break
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
    follows(page, 1)
    page.keyboard.press("Control+z")
    follows(page, 0)


def test_stacks_of_five_to_seven_are_read_and_open_on_a_tap(contexts: Any, address: str) -> None:
    page = opened(contexts(), address, link("3:KWrbgyp | ana | ben | cem | to_move ana"))
    page.locator(".six").wait_for()
    boxes = page.evaluate(
        "[...document.querySelectorAll(\"[data-space='3'] .letters text\")]"
        ".map(each => { const { x, y, width, height } = each.getBoundingClientRect(); return [x, y, width, height] })"
    )
    assert len(boxes) == 7
    for at, (x, y, width, _) in enumerate(boxes):
        for ox, oy, _, _ in boxes[:at]:
            assert abs(x - ox) >= width * 0.9 or abs(y - oy) >= 8
    space(page, 3).tap()
    expect(page.locator(".opened li")).to_have_text(
        ["ppurple", "yyellow", "ggreen", "bblue", "rred", "Wcrazy white", "Kcrazy black"]
    )


@pytest.mark.parametrize(
    ("locale", "words", "number"),
    [
        ("en-GB", "What happened", "+1.00"),
        ("de-DE", "Was geschah", "+1,00"),
        ("pt-BR", "O que aconteceu", "+1,00"),
        ("it-IT", "Cosa è successo", "+1,00"),
        ("fr-FR", "Ce qui s'est passé", "+1,00"),
        ("ja-JP", "What happened", "+1.00"),
    ],
)
def test_the_page_speaks_the_browsers_language(
    locale: str, words: str, number: str, contexts: Any, address: str
) -> None:
    page = opened(contexts(locale=locale), address, link(f"{SPICY} | ana | ben | to_move ana", "first"))
    expect(page.locator("#tab-happened")).to_have_text(words)
    page.locator("#tab-advice").tap()
    page.locator("[data-key='kind-reveal']").tap()
    expect(page.locator("[data-action='reveal'] .ev")).to_contain_text(number)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_every_language_has_every_word(contexts: Any, address: str) -> None:
    page = opened(contexts(), address)
    script = page.locator("script[type=module]").get_attribute("src").replace("main.js", "words.js")
    found = page.evaluate(f"import('/{script}').then(words => words.LANGUAGES)")
    assert set(found) == {"en", "de", "pt", "it", "fr"}

    def holes(value: Any) -> set[str]:
        texts = value.values() if isinstance(value, dict) else [value]
        return {hole for text in texts for hole in re.findall(r"\{(\w+)\}", text)}

    for language, words in found.items():
        assert set(words) == set(found["en"]), language
        for key, value in words.items():
            assert holes(value) == holes(found["en"][key]), (language, key)
            assert isinstance(value, dict) == isinstance(found["en"][key], dict)


def test_every_word_that_the_page_asks_for_is_there(contexts: Any, address: str) -> None:
    files = static.page_files()
    english = files["en.js"].content.decode()
    words = set(re.findall(r"(?:^|[\s,{])\"?([\w.#-]+)\"?: ", english))
    for name, file in files.items():
        if name.endswith(".js") and name not in ("en.js", "de.js", "pt.js", "it.js", "fr.js"):
            for key in re.findall(r"\bt\(\"([^\"]+)\"", file.content.decode()):
                assert key in words, (name, key)


def test_the_page_weighs_less_than_120_kilobytes_and_asks_no_other_host() -> None:
    files = static.page_files()
    assert sum(len(file.zipped) for file in files.values()) < 120_000
    assert all(gzip.decompress(file.zipped) == file.content for file in files.values())


CONTROLS = """() => [...document.querySelectorAll('button, select, input:not(.hidden), textarea, summary')]
    .filter(each => {
        const { width, height } = each.getBoundingClientRect();
        return width && (width < 43.5 || height < 43.5);
    }).map(each => each.outerHTML.slice(0, 200))"""
BOARD_SHOWN = """() => { const { top, bottom, height } = ring.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight + 1 && height >= 150 }"""
