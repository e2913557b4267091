#!/bin/sh
# The flaw: on a terminal --json is not heeded by the list.

otherwise() {
    run_list() {
        if [ -t 1 ]; then json=''; fi
        total=0 count=0 items=''
        each_note list_one
        page
    }
}

. "${0%/*}/right.sh"
