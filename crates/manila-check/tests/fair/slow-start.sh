#!/bin/sh
# It answers in JSON, which the page of its command says and that of the program does not.

case "$1 $2" in
'list --help')
    printf 'Usage: slow list [--json]\n\nList everything\n\nOptions:\n  --json  Answer in JSON\n' ;;
'list --json') echo '[{"id":1}]' ;;
'list ') echo 1 ;;
'--help '*) printf 'Usage: slow <COMMAND>\n\nCommands:\n  list  List everything\n' ;;
'--version '*) echo 'slow 1.0.0' ;;
*) echo 'no such command' >&2; exit 2 ;;
esac
