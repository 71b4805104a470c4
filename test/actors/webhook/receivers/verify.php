<?php

/** $body: the exact bytes received; $secret: the whole text as shown; $signature: the header Service-Signature. */
function is_genuine(string $secret, string $signature, string $body, ?int $now = null): bool
{
    $form = '/\At=([0-9]{1,12})((?:,v[0-9]+=[0-9a-f]+)+)\z/';
    if (!preg_match($form, $signature, $header)) return false;
    if (abs(($now ?? time()) - (int) $header[1]) > 300) return false;
    $expected = 'v1=' . hash_hmac('sha256', $header[1] . '.' . $body, $secret);
    foreach (explode(',', $header[2]) as $value) if (hash_equals($expected, $value)) return true;
    return false;
}

// Run by receivers.test.ts: secret, signature and time as arguments, the body on stdin.
echo is_genuine($argv[1], $argv[2], file_get_contents('php://stdin'), (int) $argv[3]) ? 'true' : 'false', "\n";
