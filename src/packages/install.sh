#!/bin/sh
# Installs zcp from the folder that this script is in, or removes it. Needs no root.
set -eu

usage() {
  cat << 'EOF'
Usage: install.sh [--prefix=DIR] [--remove]

Installs zcp below DIR, or removes it from there. Without --prefix, DIR is
~/.local, or /usr/local for root.
EOF
}

fail() {
  echo "install.sh: $1" >&2
  exit 2
}

if [ "$(id -u)" = 0 ]; then prefix=/usr/local; else prefix=${HOME:?}/.local; fi
remove=false
while [ $# -gt 0 ]; do
  case $1 in
    --prefix=?*) prefix=${1#*=} ;;
    --prefix)
      [ $# -gt 1 ] || fail '--prefix needs a folder'
      prefix=$2
      shift
      ;;
    --remove) remove=true ;;
    -h | --help)
      usage
      exit 0
      ;;
    *) fail "unknown argument: $1 (--help tells more)" ;;
  esac
  shift
done
case $prefix in
  /*) ;;
  *) prefix=$PWD/$prefix ;;
esac
# The Java runtime cannot run from there.
case $prefix in *:*) fail "a path with ':' does not work: $prefix" ;; esac

here=$(cd "$(dirname "$0")" && pwd)
program=$prefix/lib/zcp
link=$prefix/bin/zcp
leads_to=../lib/zcp/bin/zcp
papers=$(cd "$here/share" && find . -type f)

is_ours() {
  [ "$(readlink "$link")" = "$leads_to" ]
}

if "$remove"; then
  rm -rf "$program"
  if is_ours; then rm "$link"; fi
  echo "$papers" | while read -r paper; do
    rm -f "$prefix/share/$paper"
  done
  # Only folders that nothing else uses are empty now.
  for folder in doc/zcp/licenses/* doc/zcp/licenses doc/zcp; do
    for each in "$prefix/share"/$folder; do
      rmdir "$each" 2> /dev/null || true
    done
  done
  echo "removed zcp from $prefix"
  exit 0
fi

if [ -e "$link" ] && ! is_ours; then fail "$link is another program"; fi

# The new program is complete before it takes the place of an old one. The caches in it fit only
# files with the times that they have here.
mkdir -p "$prefix/bin" "$prefix/lib"
rm -rf "$program.new" "$program.old"
mkdir "$program.new"
cp -pR "$here/bin" "$here/lib" "$here/runtime" "$program.new"
if [ -e "$program" ]; then mv "$program" "$program.old"; fi
mv "$program.new" "$program"
rm -rf "$program.old"
ln -sfn "$leads_to" "$link"
echo "$papers" | while read -r paper; do
  mkdir -p "$(dirname "$prefix/share/$paper")"
  cp -p "$here/share/$paper" "$prefix/share/$paper"
done

echo "installed $("$link" --version | head -n 1) in $prefix"
case :$PATH: in
  *:"$prefix/bin":*) ;;
  *) echo "$prefix/bin is not in PATH yet: PATH=$prefix/bin:\$PATH adds it" ;;
esac
