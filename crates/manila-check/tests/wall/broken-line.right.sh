#!/bin/sh
# Right: everything is printed as a stream, and the help says so.

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
}

. "${0%/*}/right.sh"
