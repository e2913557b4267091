#!/bin/sh
# The flaw: the word is read by a shell.

otherwise() {
    run_search() {
        total=0 count=0 items=''
        eval "word=$1"
        each_note search_one
        page
    }
}

. "${0%/*}/right.sh"
