"""Texts below the help of the commands."""

from __future__ import annotations

ODDS_KEYS = """\
keys of --json:
  edition, board   the rules and the position in the notation
  total            ways to draw and roll the dice that are left
  race_ends        chance that the race ends in this leg
  camels           by letter: places, chances of 1st, 2nd, ...; ticket_ev, what
                   the top leg ticket is worth in pounds while none of its
                   colour is taken
  landings         by space of each tile: expected landings, what it brings its
                   owner in pounds
columns of --csv: camel, p1, p2, ..., ticket_ev
Chances are floats; with --exact they are fractions such as "1/3".
"""
RACE_KEYS = """\
keys of --json:
  edition, board   the rules and the position in the notation
  method           "table", exact to `error`, or "simulation" of `games` races
                   with standard error `stderr`
  camels           by letter: wins, last
  legs             expected number of legs to come, this one included
columns of --csv: camel, wins, last
"""
COMPARE_KEYS = """\
keys of --json:
  edition, game, player
  actions, evs, difference   of both, in pounds; by how much the first is better
  first_is_better, second_is_better   chances of a roll after which it is so
  rolls                      die, number, chance, first, second, difference
  error                      how far a value can be off where race odds take part
"""
PARTLY = (
    "what is not said is not known: 1:{r,b} a stack in any order, camels that stand nowhere come by the set-up dice,"
    " ?2 two more dice after the slash; the odds are the average over all that fits"
)
SPACES_KEYS = """\
keys of --json:
  edition, board, camel
  asks             "space" or "moved"
  mean, variance   of the space, or of the spaces moved
  chances          by number; 0 is behind the track, track + 1 over the line
With --exact they are fractions such as "1/3".
"""
GAME = """\
A game is a file of JSON or text, one that `play` saved, "-" for standard input,
or the text itself, parts between bars:
  BOARD | ana money=3 r5 g3 pyramid=1 | ben | winner ana=r ben=? | to_move ana
  ana money=3 r5 pyramid=1   for each player in seating order: pounds (3 if not
                             said), leg tickets, pyramid tickets of this leg
  winner ana=r ben=?         finish cards in the order placed, ? face down
  loser cem=p
  to_move ana                whose turn it is
  taken g5 b5                tickets that are gone without saying who has them
  partners ana=ben           who is whose partner
in the Supercup also:
  ana o5 position3=o5        the tile of place 3 lies on ana's ticket o5
  photographer ana=8         who has the camera, and its space
  used b g                   spicy: support dice used in this leg
"""
ACTION_KEYS = (
    GAME
    + """\
keys of --json, columns of --csv:
  action, kind, ev, sd, p_gain, worst, best, others, reply, error, lead, rule;
  with --ahead also ahead, ahead_others
  ev      what the player's expected money gains by the action, in pounds
  sd, p_gain, worst, best   of what the action's own item will pay
  others  what the action changes for all others together
  reply   the best expected ticket that the next player then finds
  error   of ev, where race odds take part
  lead    chance to have the most money after this leg's scoring
  ahead   pounds that the player expects until the leg's end when everybody
          plays on; ahead_others the same of all others together
"""
)
BIG_TOP = """\
A state is a text, JSON, a file of either, or "-" for standard input. As text it
is parts between bars:
  tokens 7 6 4 seen | stack 40 circus 6 acrobat 3 | ana tent=3 score=41 |
  ben tent=1 score=45 | to_move ana
  tokens 7 6 4 seen               tokens that were revealed; without it none
  stack 40 circus 6 acrobat 3     tiles left to draw, and how many of them are
                                  circus and acrobat tiles
  ana tent=3 acrobats=1 score=41  for each player, in seating order: own
                                  meeples, ringmaster included, and acrobats on
                                  the tent's tile and the eight around; points
  to_move ana                     who draws the next tile
  rulings acrobats=no             acrobats beside the tent do not count
keys of --json:
  state            as text
  token            value under the tent: mean, variance, chances by value
  tent_moves       mean: draws expected; at_draw, within: chances by draw;
                   moved_by: by player; null if it stays
  players          by name: points and lead (mean, variance, chances by number),
                   ahead, level
  one_more_meeple  stays: expected points if it stays until the tent is scored;
                   leaves_after: by draws
Numbers are floats; with --exact they are fractions such as "4/13".
"""
PLAY = """\
dice     r2, red 2           the red die showed 2
         white 3, black 1    the grey die
         b+1                 blue's support die
actions  take g              the best green ticket
         tile +7, oasis 7    also cheer; tile -7, mirage 7, boo 7
         winner r, loser ?   a finish card, ? face down
         camera 8            the photographer
         position 3 on r5    or on bottom g
         partner ben
         ... ben, ben ...    by ben, not by whose turn it is
         ... + support b     spicy Supercup
ask      odds, race          of this leg; of the whole race
         actions             what pays best; actions 3, all, ben
         actions ahead       ... when everybody plays on
         who                 whose turn, what everybody has
         luck                luck and skill
end      cards ben=g         ben's card face down was green
keep     undo, redo          every step is kept by itself
         save FILE, load FILE, resume, quit
begin    new EDITION GAME    1:rb 2:g 3:yp 14:K 15:W | ana | ben\
"""
WIN_KEYS = """\
keys of --json:
  edition, game    the rules and the game as text
  bots             by player
  games, seed      games played with each action, and their seed
  chances          by action and player: wins, money at the end, difference of
                   wins to the first action; stderr, money_stderr and
                   difference_stderr are their standard errors, null for one game
"""
