/** Whether a host name or an address is this machine itself: what is sent there leaves it never. Names are not looked up. */

export const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)
