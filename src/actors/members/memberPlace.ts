/** Where addresses of members are sealed. Who opens an address, and what for, is decided by the stores and by mail. */
import type { MailId, MemberId } from "../../schema/ids.ts"

/** The place for which a member's address is sealed. */
export const memberPlace = (memberId: MemberId): string => `member|${memberId}`

/** Where the address of a removed member belongs while the mail to them waits. */
export const removedMemberPlace = (mailId: MailId): string => `mails|${mailId}|recipient`
