# shellcheck shell=bash
# OpenStack Swift with an erasure-coded policy, for tests/check_clients.
# SPDX-License-Identifier: BSD-3-Clause
#
# Proxy, account, container and object servers run on this machine, with six folders as devices.
# Objects are uploaded, two devices lost, the objects downloaded and compared. Then the devices are
# reconstructed, and their fragments compared with those that were lost.

fetch_swift() {
    unpack_all swift-proxy swift-account swift-container swift-object python3-pyeclib &&
        unpack python3-pyeclib liberasurecode1
}

# swift_command NAME PROGRAM ARGUMENT...: sets `command` to a call of Swift's program with Debian's
# python3. Its settings are in a folder here, not in /etc.
swift_command() {
    command=(env PYTHONPATH="$debian/usr/lib/python3/dist-packages" EVENTLET_NO_GREENDNS=yes \
        PYTHONUNBUFFERED=1 \
        LD_LIBRARY_PATH="$prefix/lib$libraries" LD_DEBUG=bindings \
        LD_DEBUG_OUTPUT="$bindings/$1" /usr/bin/python3 -c '
import runpy, sys
import swift.common.utils
swift.common.utils.SWIFT_CONF_FILE = sys.argv.pop(1)
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")' "$home/swift/swift.conf" \
        "$debian/usr/bin/$2" "${@:3}")
}

with_swift() {
    swift_command "$@"
    "${command[@]}"
}

# swift_server KIND PORT FOLDER-OF-DEVICES: writes KIND.conf.
swift_server() {
    cat >"$1.conf" <<END
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = $2
workers = 0
user = $(id -un)
swift_dir = $PWD
devices = $PWD/$3
mount_check = false
disable_fallocate = true
[pipeline:main]
pipeline = $1-server
[app:$1-server]
use = egg:swift#$1
allow_account_management = true
account_autocreate = true
error_suppression_interval = 1
conn_timeout = 20
[object-reconstructor]
concurrency = 1
END
}

# swift_ring KIND REPLICAS PORT DEVICE...
swift_ring() {
    local device
    local builder="with_swift swift-ring swift-ring-builder $1.builder"
    $builder create 4 "$2" 0 || return
    for device in "${@:4}"; do
        $builder add "r1z1-127.0.0.1:$3/$device" 1 || return
    done
    $builder rebalance
}

swift_configure() {
    local kind n=0
    rm -rf swift && mkdir -p swift/devices/d{1..6} swift/meta/m1 && cd swift || return
    cat >swift.conf <<END
[swift-hash]
swift_hash_path_suffix = isal
[storage-policy:0]
name = ec
default = yes
policy_type = erasure_coding
ec_type = isa_l_rs_vand
ec_num_data_fragments = 4
ec_num_parity_fragments = 2
END
    for kind in account container object proxy; do
        n=$((n + 1))
        swift_server $kind $((swift_port + n)) "$([ $kind = object ] && echo devices || echo meta)"
    done
    swift_ring account 1 $((swift_port + 1)) m1 && swift_ring container 1 $((swift_port + 2)) m1 &&
        swift_ring object 6 $((swift_port + 3)) d{1..6}
}

# fragments DEVICE...: the names and the checksums of their fragments.
fragments() {
    (cd devices && find "$@" -name '*.data' -exec md5sum {} + | sort -k 2)
}

swift_url=''
# stored FILE: whether a download has the contents of the file.
stored() {
    curl -sS -f "$swift_url/${1##*/}" | cmp - "$1"
}

swift_session() {
    local kind file size pids='' status=1 lost
    cd "$home" && swift_configure || return
    for kind in account container object proxy; do
        swift_command "swift-$kind" "swift-$kind-server" $kind.conf -v
        "${command[@]}" >$kind.log 2>&1 &
        pids="$pids $!"
    done
    swift_url=http://127.0.0.1:$((swift_port + 4))/v1/AUTH_test/container
    for _ in {1..60}; do
        sleep 1
        curl -s -f -X PUT "$swift_url" && break
        kill -0 $pids || break # a server ended
    done
    mkdir objects
    for size in 1 4096 100000 1048576 3000001; do
        head -c $size /dev/urandom >objects/$size
    done
    while true; do # left at the first failure
        for file in objects/*; do curl -s -f -T "$file" "$swift_url/${file##*/}" || break 2; done
        for file in objects/*; do stored "$file" || break 2; done
        lost=$(fragments d2 d5)
        [ "$(echo "$lost" | wc -l)" = 10 ] || break
        rm -rf devices/d2 devices/d5
        for file in objects/*; do stored "$file" || break 2; done
        echo "downloaded without two of six devices"
        mkdir devices/d2 devices/d5
        for _ in 1 2 3; do
            with_swift swift-reconstructor swift-object-reconstructor object.conf -o -v
            [ "$(fragments d2 d5)" != "$lost" ] || break
        done
        [ "$(fragments d2 d5)" = "$lost" ] || break
        echo "$lost" | wc -l | sed 's/$/ fragments reconstructed/'
        rm -rf devices/d1 devices/d3
        sleep 2 # the proxy avoids a device for a second after it was missing
        for file in objects/*; do stored "$file" || break 2; done
        status=0
        break
    done
    kill $pids
    wait $pids
    return $status
}

swift() {
    local swift_port=17080
    have apt-get apt && have dpkg-deb dpkg && have curl curl &&
        have /usr/bin/python3 python3 || return
    once swift fetch_swift || return
    log=$home/swift.log
    if (swift_session) >"$log" 2>&1; then pass; else failed swift .; fi
    echo "Swift: $(grep -E 'downloaded|reconstructed$' "$log" | paste -s -d ,)"
    ran_on_this swift-proxy ec_encode_data
    ran_on_this swift-reconstructor ec_encode_data
}
