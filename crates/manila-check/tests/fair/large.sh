#!/bin/sh
# Its list is large and ends.

case "$1 $2" in
'list --help')
    printf 'Usage: large list [--json]\n\nList everything\n\nOptions:\n  --json  Answer in JSON\n' ;;
'list '*)
    for word; do case $word in list | --json) ;; *) echo "no such argument" >&2; exit 2 ;; esac; done
    head -c 100000000 /dev/zero | tr '\0' x ;;
'--help '*) printf 'Usage: large <COMMAND>\n\nCommands:\n  list  List everything\n' ;;
'--version '*) echo 'large 1.0.0' ;;
*) echo 'no such command' >&2; exit 2 ;;
esac
