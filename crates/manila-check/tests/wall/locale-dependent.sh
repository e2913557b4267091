#!/bin/sh
# The flaw: numbers follow the language.

otherwise() {
    run_config_show() {
        case ${LANG-} in de_*) rate=\"0,5\" ;; *) rate=0.5 ;; esac
        settings ",\"rate\":$rate"
    }
}

. "${0%/*}/right.sh"
