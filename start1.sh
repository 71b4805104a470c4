. /tmp/rt/env.sh; cd /tmp/k-redteam; export PORT=34001 RUNNER_ADDRESS=127.0.0.1:34431 DATA_DIR=/tmp/rt/d1 BASE_URL=http://127.0.0.1:34001
nice -n 5 node src/runtime/start.js > /tmp/rt/n1.log 2>&1 & echo $! > /tmp/rt/n1.pid
