#!/bin/sh
# Makes the certificates of the TLS tests, with openssl, in this folder. They are valid from 2020 to 2120, whatever the
# clock of the machine that makes or tests them; the one that has expired did so in 2021. Their keys guard nothing.
set -e
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: >"$work/index"
cat >"$work/config" <<END
[ca]
default_ca = authority
[authority]
database = $work/index
new_certs_dir = $work
rand_serial = yes
unique_subject = no
default_md = sha256
policy = policy
[policy]
commonName = supplied
END

# name, common name, extensions, end, then how it is signed
certificate() {
  name=$1 common=$2 extensions=$3 end=$4
  shift 4
  openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$name.key" -out "$work/request" \
    -subj "/CN=$common"
  printf '%b\n' "$extensions" >"$work/extensions"
  openssl ca -batch -notext -config "$work/config" -in "$work/request" -out "$name.pem" -extfile "$work/extensions" \
    -startdate 20200101000000Z -enddate "$end" "$@"
}

authority='basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\nsubjectKeyIdentifier=hash'
names='basicConstraints=CA:FALSE\nsubjectAltName=DNS:good.example,IP:127.0.0.1'
certificate authority "Test authority" "$authority" 21200101000000Z -selfsign -keyfile authority.key
certificate good good.example "$names" 21200101000000Z -cert authority.pem -keyfile authority.key
certificate expired good.example "$names" 20210101000000Z -cert authority.pem -keyfile authority.key
certificate selfSigned good.example "$names" 21200101000000Z -selfsign -keyfile selfSigned.key
rm authority.key
