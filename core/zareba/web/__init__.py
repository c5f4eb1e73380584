"""The web interface: pages rendered on the server, a small script, and an event stream that announces changes.

`lobby` lists battles and games, starts games and manages their links. `seat` builds the page of a game for one player.
`editor` changes battles. `security` checks requests, and `app` maps addresses to pages. The script knows no rules: the
server sends it the question, the options, and the map as its seat sees it.
"""
