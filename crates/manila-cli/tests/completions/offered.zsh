# Prints each line in $LINES_TO_COMPLETE and what its completion offers: types it in an interactive zsh and listens to
# compadd.
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'source ./listen.zsh'
zpty -r shell answer '*<READY>*'
for line in ${(f)LINES_TO_COMPLETE}; do
    zpty -w -n shell $'\C-u'"$line"$'\t'
    zpty -r shell answer '*<END>*'
    print -r -- "> $line"
    answer=${${answer##*<BEGIN>}%<END>*}
    print -rl -- ${(f)answer//$'\r'/} | sed 's/^/> /'
done
zpty -d shell
