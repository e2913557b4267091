#!/bin/sh
# The flaw: a line of progress is written over, and the document over it.

otherwise() {
    put() {
        if [ "$command" = search ]; then printf 'Searching   0%%\rSearching 100%%\r'; fi
        printf '%s\n' "$1"
    }
}

. "${0%/*}/right.sh"
