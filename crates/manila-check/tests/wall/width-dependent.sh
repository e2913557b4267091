#!/bin/sh
# The flaw: texts are cut to the width of the screen.

otherwise() {
    note_json() {
        cut=$3
        if [ -n "${COLUMNS-}" ] && [ "$COLUMNS" -lt 40 ]; then cut="${3%% *}…"; fi
        note="{\"id\":$1,\"tag\":\"$2\",\"text\":\"$cut\"}"
    }
}

. "${0%/*}/right.sh"
