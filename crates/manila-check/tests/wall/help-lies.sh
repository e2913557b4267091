#!/bin/sh
# The flaw: help lists a flag that was taken out.

otherwise() {
    help_list() {
        help_page 'List the notes' 'list [OPTIONS]' 'Options:' \
            '      --tag <TAG>     Only those with this tag' \
            '      --sort <KEY>    In this order' \
            '      --limit <N>     At most so many, 0 for all [default: 20]' \
            '      --cursor <N>    Go on after so many'
    }
}

. "${0%/*}/right.sh"
