#!/bin/sh
# The flaw: the limit is read, checked and forgotten.

otherwise() {
    run_list() {
        total=0 count=0 items='' limit=20
        each_note list_one
        page
    }
}

. "${0%/*}/right.sh"
