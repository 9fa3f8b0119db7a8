# bash completion for zcp, made from its command line

_zcp_reply() {
  mapfile -t COMPREPLY < <(compgen "$@" -- "$cur")
}

_zcp_files() {
  compopt -o filenames
  _zcp_reply -f
}

_zcp_directories() {
  compopt -o filenames
  _zcp_reply -d
}

# the words of a list, behind those that are there
_zcp_list() {
  local before=
  [[ $cur == *,* ]] && before=${cur%,*},
  cur=${cur##*,}
  compopt -o nospace
  _zcp_reply -P "$before" -W "$*"
}

_zcp() {
  local cur=${COMP_WORDS[COMP_CWORD]} option= i
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    _zcp_reply -W "copy sync send receive serve deploy plan report bench strategies explain key config completion help --debug -h --help -V --version"
    return
  fi
  # '=' is a word of its own, unless COMP_WORDBREAKS was changed
  if [[ $cur == --*=* ]]; then
    option=${cur%%=*}
    cur=${cur#*=}
  elif [[ $cur == = ]]; then
    option=${COMP_WORDS[COMP_CWORD - 1]}
    cur=
  elif [[ ${COMP_WORDS[COMP_CWORD - 1]} == = ]]; then
    option=${COMP_WORDS[COMP_CWORD - 2]}
  else
    option=${COMP_WORDS[COMP_CWORD - 1]}
    # what may stand alone has its value behind '=' or none
    case ${COMP_WORDS[1]}:$option in copy:--preserve | copy:--reflink | copy:--update | copy:--backup | copy:--compress | copy:--deploy | copy:--progress | copy:--help | sync:--compress | sync:--deploy | sync:--progress | sync:--help | send:--preserve | send:--compress | send:--listen | send:--deploy | send:--progress | send:--help | receive:--deploy | receive:--progress | receive:--help | serve:--help | deploy:--help | plan:--deploy | plan:--help | report:--help | bench:--progress | bench:--help | strategies:--help | explain:--help | key:--help | config:--help | completion:--help) option= ;; esac
  fi
  # after '--' there are operands only
  for ((i = 2; i < COMP_CWORD; i++)); do
    [[ ${COMP_WORDS[i]} == -- ]] && option=--
  done
  case ${COMP_WORDS[1]}:$option in
    copy:--preserve) _zcp_list mode owner times xattr acl links sparse all ;;
    copy:--no-preserve) _zcp_list mode owner times xattr acl links sparse all ;;
    copy:--sparse) _zcp_reply -W "auto never always" ;;
    copy:--reflink) _zcp_reply -W "auto always never" ;;
    copy:--exclude) : ;;
    copy:--include) : ;;
    copy:--exclude-from) _zcp_files ;;
    copy:--files-from) _zcp_files ;;
    copy:--shard) _zcp_files ;;
    copy:--update) _zcp_reply -W "all none older" ;;
    copy:--link-dest) _zcp_directories ;;
    copy:--backup) _zcp_reply -W "none off simple never existing nil numbered t" ;;
    copy:-S | copy:--suffix) : ;;
    copy:--max-delete) : ;;
    copy:--on-change) _zcp_reply -W "fail retry accept" ;;
    copy:--verify) _zcp_reply -W "none wire readback media" ;;
    copy:--manifest) _zcp_files ;;
    copy:-t | copy:--target-directory) _zcp_directories ;;
    copy:-j | copy:--jobs) : ;;
    copy:--limit-rate) : ;;
    copy:--stall-timeout) : ;;
    copy:--compress) _zcp_reply -W "auto always never" ;;
    copy:-e | copy:--ssh) : ;;
    copy:--rsh) : ;;
    copy:--remote-command) : ;;
    copy:--deploy) _zcp_reply -W "ask always never" ;;
    copy:--strategy) _zcp_reply -W "auto copyFileRange direct heap mmap reflink splice stream transferTo" ;;
    copy:--strategy-path) _zcp_files ;;
    copy:--chunk-size) : ;;
    copy:--histogram) _zcp_files ;;
    copy:--metrics) _zcp_files ;;
    copy:--worst) : ;;
    copy:--report-file) _zcp_files ;;
    copy:--progress) _zcp_reply -W "auto always never" ;;
    copy:--report) _zcp_reply -W "line table full" ;;
    copy:--help) _zcp_reply -W "all" ;;
    sync:--max-delete) : ;;
    sync:--link-dest) _zcp_directories ;;
    sync:--exclude) : ;;
    sync:--include) : ;;
    sync:--exclude-from) _zcp_files ;;
    sync:--on-change) _zcp_reply -W "fail retry accept" ;;
    sync:--verify) _zcp_reply -W "none wire readback media" ;;
    sync:--limit-rate) : ;;
    sync:--stall-timeout) : ;;
    sync:--compress) _zcp_reply -W "auto always never" ;;
    sync:-e | sync:--ssh) : ;;
    sync:--rsh) : ;;
    sync:--remote-command) : ;;
    sync:--deploy) _zcp_reply -W "ask always never" ;;
    sync:--strategy) _zcp_reply -W "auto copyFileRange direct heap mmap reflink splice stream transferTo" ;;
    sync:--strategy-path) _zcp_files ;;
    sync:--chunk-size) : ;;
    sync:--histogram) _zcp_files ;;
    sync:--metrics) _zcp_files ;;
    sync:--worst) : ;;
    sync:--report-file) _zcp_files ;;
    sync:--progress) _zcp_reply -W "auto always never" ;;
    sync:--report) _zcp_reply -W "line table full" ;;
    sync:--help) _zcp_reply -W "all" ;;
    send:--preserve) _zcp_list mode owner times xattr acl links sparse all ;;
    send:--no-preserve) _zcp_list mode owner times xattr acl links sparse all ;;
    send:--sparse) _zcp_reply -W "auto never" ;;
    send:--exclude) : ;;
    send:--include) : ;;
    send:--exclude-from) _zcp_files ;;
    send:--files-from) _zcp_files ;;
    send:--shard) _zcp_files ;;
    send:--on-change) _zcp_reply -W "fail retry accept" ;;
    send:--verify) _zcp_reply -W "none wire readback media" ;;
    send:--resume-verify) _zcp_reply -W "all sample none" ;;
    send:--compress) _zcp_reply -W "auto always never" ;;
    send:--listen) : ;;
    send:-e | send:--ssh) : ;;
    send:--rsh) : ;;
    send:--remote-command) : ;;
    send:--deploy) _zcp_reply -W "ask always never" ;;
    send:--connections) : ;;
    send:--connect-timeout) : ;;
    send:--retries) : ;;
    send:--stall-timeout) : ;;
    send:--limit-rate) : ;;
    send:--socket-buffer) : ;;
    send:--congestion) _zcp_reply -W "bbr cubic reno" ;;
    send:--key-file) _zcp_files ;;
    send:--strategy) _zcp_reply -W "auto copyFileRange direct heap mmap reflink splice stream transferTo" ;;
    send:--strategy-path) _zcp_files ;;
    send:--chunk-size) : ;;
    send:--histogram) _zcp_files ;;
    send:--metrics) _zcp_files ;;
    send:--worst) : ;;
    send:--report-file) _zcp_files ;;
    send:--progress) _zcp_reply -W "auto always never" ;;
    send:--report) _zcp_reply -W "line table full" ;;
    send:--help) _zcp_reply -W "all" ;;
    receive:--listen) : ;;
    receive:--accept) _zcp_list links hardlinks specials mode owner xattr acl all ;;
    receive:--max-size) : ;;
    receive:--max-files) : ;;
    receive:-e | receive:--ssh) : ;;
    receive:--rsh) : ;;
    receive:--remote-command) : ;;
    receive:--deploy) _zcp_reply -W "ask always never" ;;
    receive:--connections) : ;;
    receive:--connect-timeout) : ;;
    receive:--retries) : ;;
    receive:--verify) _zcp_reply -W "none wire readback media" ;;
    receive:--resume-verify) _zcp_reply -W "all sample none" ;;
    receive:--stall-timeout) : ;;
    receive:--limit-rate) : ;;
    receive:--socket-buffer) : ;;
    receive:--congestion) _zcp_reply -W "bbr cubic reno" ;;
    receive:--key-file) _zcp_files ;;
    receive:--strategy) _zcp_reply -W "auto copyFileRange direct heap mmap reflink splice stream transferTo" ;;
    receive:--strategy-path) _zcp_files ;;
    receive:--chunk-size) : ;;
    receive:--histogram) _zcp_files ;;
    receive:--metrics) _zcp_files ;;
    receive:--worst) : ;;
    receive:--report-file) _zcp_files ;;
    receive:--progress) _zcp_reply -W "auto always never" ;;
    receive:--report) _zcp_reply -W "line table full" ;;
    receive:--help) _zcp_reply -W "all" ;;
    serve:--below) _zcp_directories ;;
    serve:--help) _zcp_reply -W "all" ;;
    deploy:--archive) _zcp_files ;;
    deploy:-e | deploy:--ssh) : ;;
    deploy:--rsh) : ;;
    deploy:--help) _zcp_reply -W "all" ;;
    plan:--shards) : ;;
    plan:--output) _zcp_directories ;;
    plan:--rate) : ;;
    plan:-e | plan:--ssh) : ;;
    plan:--rsh) : ;;
    plan:--remote-command) : ;;
    plan:--deploy) _zcp_reply -W "ask always never" ;;
    plan:--help) _zcp_reply -W "all" ;;
    report:--output) _zcp_files ;;
    report:--report) _zcp_reply -W "line table full" ;;
    report:--help) _zcp_reply -W "all" ;;
    bench:--article) _zcp_list A1 A2 A3 B C D E all ;;
    bench:--size-scale) : ;;
    bench:--strategy) _zcp_list auto copyFileRange direct heap mmap reflink splice stream transferTo fileStream singleByte randomAccessFile mappedOnce mappedBuffer ;;
    bench:--chunk-size) : ;;
    bench:--size) : ;;
    bench:--cache) _zcp_list warm cold ;;
    bench:--socket-buffer) : ;;
    bench:--strategy-path) _zcp_files ;;
    bench:--time) : ;;
    bench:--runs) : ;;
    bench:--cell-time) : ;;
    bench:--seed) : ;;
    bench:--dir) _zcp_directories ;;
    bench:--file) _zcp_files ;;
    bench:--content) _zcp_reply -W "random text holes" ;;
    bench:--html) _zcp_files ;;
    bench:--progress) _zcp_reply -W "auto always never" ;;
    bench:--help) _zcp_reply -W "all" ;;
    strategies:--strategy-path) _zcp_files ;;
    strategies:--help) _zcp_reply -W "all" ;;
    explain:--strategy-path) _zcp_files ;;
    explain:--help) _zcp_reply -W "all" ;;
    key:--help) _zcp_reply -W "all" ;;
    config:--help) _zcp_reply -W "all" ;;
    completion:--help) _zcp_reply -W "all" ;;
    help:*) _zcp_reply -W "copy sync send receive serve deploy plan report bench strategies explain key config completion" ;;
    copy:--) _zcp_files ;;
    copy:*) if [[ $cur == -* ]]; then _zcp_reply -W "-r -R --recursive -a --archive -p --preserve --no-preserve= --sparse= -P --no-dereference -L --dereference -H -d -l --link -s --symbolic-link --attributes-only --copy-contents --parents --reflink --exclude= --include= --exclude-from= --files-from= --from0 --shard= -x --one-file-system -f --force --remove-destination -n --no-clobber -u --update --skip-same --link-dest= -i --interactive --backup -b -S --suffix= --follow-target-links --inplace --no-resume --delete --max-delete= --on-change= --strict --verify= --fsync --manifest= --verify-only -t --target-directory= -T --no-target-directory -j --jobs= --limit-rate= --stall-timeout= --compress -z --delta --whole-file -e --ssh= --rsh= --remote-command= --deploy --no-deploy --relay --dry-run --clean --strategy= --strategy-path= --chunk-size= --histogram= --metrics= --worst= --report-file= --json --progress --report= --no-keep -q --quiet -v --verbose --debug -h --help -V --version"; else _zcp_files; fi ;;
    sync:--) _zcp_files ;;
    sync:*) if [[ $cur == -* ]]; then _zcp_reply -W "-n --dry-run --delete --max-delete= --link-dest= --exclude= --include= --exclude-from= -x --one-file-system --on-change= --strict -a --archive --verify= --fsync --limit-rate= --stall-timeout= --compress -z --delta --whole-file -e --ssh= --rsh= --remote-command= --deploy --no-deploy --relay --strategy= --strategy-path= --chunk-size= --histogram= --metrics= --worst= --report-file= --json --progress --report= --no-keep -q --quiet -v --verbose --debug -h --help -V --version"; else _zcp_files; fi ;;
    send:--) _zcp_files ;;
    send:*) if [[ $cur == -* ]]; then _zcp_reply -W "-r -R --recursive -a --archive -p --preserve --no-preserve= --sparse= -P --no-dereference -L --dereference -H -d --exclude= --include= --exclude-from= --files-from= --from0 --shard= -x --one-file-system --skip-same --on-change= --strict --verify= --resume-verify= --dry-run --compress -z --delta --whole-file --listen --once --web -e --ssh= --rsh= --remote-command= --deploy --no-deploy --connections= --connect-timeout= --retries= --stall-timeout= --limit-rate= --socket-buffer= --congestion= --key-file= --plain --tls --strategy= --strategy-path= --chunk-size= --histogram= --metrics= --worst= --report-file= --json --progress --report= --no-keep -q --quiet -v --verbose --debug -h --help -V --version"; else _zcp_files; fi ;;
    receive:--) _zcp_directories ;;
    receive:*) if [[ $cur == -* ]]; then _zcp_reply -W "--listen= --once --web --stdout --accept= --overwrite --max-size= --max-files= --discard --fsync -e --ssh= --rsh= --remote-command= --deploy --no-deploy --connections= --connect-timeout= --retries= --verify= --resume-verify= --stall-timeout= --limit-rate= --socket-buffer= --congestion= --key-file= --plain --tls --strategy= --strategy-path= --chunk-size= --histogram= --metrics= --worst= --report-file= --json --progress --report= --no-keep -q --quiet -v --verbose --debug -h --help -V --version"; else _zcp_directories; fi ;;
    serve:--) _zcp_reply -W "" ;;
    serve:*) if [[ $cur == -* ]]; then _zcp_reply -W "--below= --read-only --write-only --no-overwrite --no-delete --debug -h --help -V --version"; else _zcp_reply -W ""; fi ;;
    deploy:--) : ;;
    deploy:*) if [[ $cur == -* ]]; then _zcp_reply -W "--remove --archive= -e --ssh= --rsh= -q --quiet --debug -h --help -V --version"; else :; fi ;;
    plan:--) _zcp_files ;;
    plan:*) if [[ $cur == -* ]]; then _zcp_reply -W "--shards= --output= --rate= -x --one-file-system --status --finish -e --ssh= --rsh= --remote-command= --deploy --no-deploy --json -q --quiet --debug -h --help -V --version"; else _zcp_files; fi ;;
    report:--) _zcp_files ;;
    report:*) if [[ $cur == -* ]]; then _zcp_reply -W "--output= --report= --debug -h --help -V --version"; else _zcp_files; fi ;;
    bench:--) _zcp_reply -W "read write copy send receive force all" ;;
    bench:*) if [[ $cur == -* ]]; then _zcp_reply -W "--article= --size-scale= --strategy= --chunk-size= --size= --cache= --socket-buffer= --strategy-path= --time= --runs= --cell-time= --seed= --dir= --file= --content= --strace --json --html= --progress -q --quiet -v --verbose --tune --debug -h --help -V --version"; else _zcp_reply -W "read write copy send receive force all"; fi ;;
    strategies:--) _zcp_files ;;
    strategies:*) if [[ $cur == -* ]]; then _zcp_reply -W "--strategy-path= --debug -h --help -V --version"; else _zcp_files; fi ;;
    explain:--) _zcp_files ;;
    explain:*) if [[ $cur == -* ]]; then _zcp_reply -W "--strategy-path= --json -v --verbose --debug -h --help -V --version"; else _zcp_files; fi ;;
    key:--) _zcp_reply -W "" ;;
    key:*) if [[ $cur == -* ]]; then _zcp_reply -W "--debug -h --help -V --version"; else _zcp_reply -W ""; fi ;;
    config:--) _zcp_reply -W "copy sync send receive" ;;
    config:*) if [[ $cur == -* ]]; then _zcp_reply -W "--debug -h --help -V --version"; else _zcp_reply -W "copy sync send receive"; fi ;;
    completion:--) _zcp_reply -W "bash zsh fish" ;;
    completion:*) if [[ $cur == -* ]]; then _zcp_reply -W "--debug -h --help -V --version"; else _zcp_reply -W "bash zsh fish"; fi ;;
  esac
  if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == --*= ]]; then
    compopt -o nospace
  fi
  # where '=' was not a word of its own, the option is still part of the word
  if [[ ${COMP_WORDS[COMP_CWORD]} == --*=* ]]; then
    COMPREPLY=("${COMPREPLY[@]/#/$option=}")
  fi
}

complete -F _zcp zcp
