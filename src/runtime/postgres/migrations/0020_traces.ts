/**
 * The span that caused a mail, and the request that began an erasure: whoever goes on with either links back to it, however much
 * later and on whichever node.
 */
export const sql = `
alter table mails add column traceparent text;
alter table erasures add column traceparent text;
`
