#!/bin/sh
# The flaw: an empty result is reported in prose.

otherwise() {
    run_search() {
        total=0 count=0 items='' word=$1
        each_note search_one
        if [ "$total" = 0 ]; then
            printf 'No notes found.\n'
            finish 0
        fi
        page
    }
}

. "${0%/*}/right.sh"
