export PATH=/tmp/k-redteam/node_modules/.bin:$PATH
export DATABASE_URL=postgres://postgres:pw@127.0.0.1:5432/redteam REDIS_URL=redis://127.0.0.1:34679 
export ENCRYPTION_KEY=$(printf '0123456789abcdef0123456789abcdef' | base64) OPERATOR_TOKEN=operator-token-zq8Hn3Xv7Lr2Pw5Kt9Yd4Mf6Bs1Gj0C
export CLUSTER_SECRET=0f3c9b5a7d1e2846c0b9a8f7e6d5c4b30f3c9b5a7d1e2846c0b9a8f7e6d5c4b3
export PROFILE=development WEBHOOK_ALLOW_INSECURE=false LOG_LEVEL=all ERASURE_JOURNAL=/tmp/rt/journal
