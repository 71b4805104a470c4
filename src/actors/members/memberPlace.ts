/** The place for which a member's address is sealed. Who opens it, and what for, is decided by the stores and by mail. */
export const memberPlace = (memberId: string): string => `member|${memberId}`
