#!/bin/sh
# The flaw: a search answers once for the request and once for the result.

otherwise() {
    run_search() {
        total=0 count=0 items='' word=$1
        if [ -n "$json" ]; then envelope true '{"items":[],"total":0}' null; fi
        each_note search_one
        page
    }
}

. "${0%/*}/right.sh"
