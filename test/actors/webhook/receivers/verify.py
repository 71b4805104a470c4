import hashlib, hmac, re, time


def is_genuine(secret, signature, body, now=None):
    """body: the exact bytes received; secret: the whole text as shown; signature: the header Service-Signature."""
    header = re.fullmatch(r"t=([0-9]{1,12})((?:,v[0-9]+=[0-9a-f]+)+)", signature)
    now = int(time.time()) if now is None else now
    if header is None or abs(now - int(header[1])) > 300:
        return False
    v1 = hmac.new(secret.encode(), header[1].encode() + b"." + body, hashlib.sha256).hexdigest()
    return any(hmac.compare_digest(value, "v1=" + v1) for value in header[2].split(","))


# Run by receivers.test.ts: secret, signature and time as arguments, the body on stdin.
import sys

genuine = is_genuine(sys.argv[1], sys.argv[2], sys.stdin.buffer.read(), int(sys.argv[3]))
print("true" if genuine else "false")
