#!/bin/sh
# The flaw: of a stream of lines one has a bracket too many.

otherwise() {
    dump_about='Print everything there is, one JSON document per line'
    dump_schema=$note_schema
    run_dump() {
        for id in 1 2 3; do
            if [ -z "$json" ]; then
                note_text $id dump 'Some text'
                continue
            fi
            note_json $id dump 'Some text'
            envelope true "$note" null
        done
        finish 0
    }
    put() { case $1 in *'"id":2,"tag":"dump"'*) printf '%s}\n' "$1" ;; *) printf '%s\n' "$1" ;; esac; }
}

. "${0%/*}/right.sh"
