/**
 * The port to the one-time links with which members sign in to the console. A link signs in an address. Of several companies of the
 * address the session looks at the one that was used last, and the person may choose another.
 *
 * | its life | |
 * |---|---|
 * | begins | when its mail leaves; a try to send the mail again makes another link |
 * | lasts  | `memberLimits.linkLifetime`; that of an invitation `memberLimits.invitationLifetime` |
 * | ends   | when somebody signs in with it, or with another link of the same mail; when a later mail to its address has a link; with its member |
 *
 * Looking at a link does not spend it. Which mail has a link, and what it says, is decided elsewhere (`memberMailWriter.ts`).
 */
import { Context, type Duration, type Effect } from "effect"
import type { Role } from "../../schema/members/Role.ts"
import type { StoreUnavailable } from "../kernel/StoreError.ts"
import type { MailId, MemberId } from "../../schema/ids.ts"

/** The mail that a link is for. A mail that is sent again has a link of its own; all are open until one of them is used. */
export interface MemberLinkMail {
  readonly mailId: MailId
  readonly memberId: MemberId
  readonly lifetime: Duration.Duration
}

export interface IssuedConsoleLink {
  readonly token: string
  readonly email: string
  readonly role: Role
}

export interface OpenedConsole {
  /** The secret of a new session. It is in this answer and nowhere else. */
  readonly secret: string
  readonly memberId: MemberId
  readonly isWaitingForPasskey: boolean
  /** How many companies the address belongs to. */
  readonly companies: number
}

export class ConsoleLinks extends Context.Service<
  ConsoleLinks,
  {
    /**
     * Owes a mail with a link to whoever has this address. Does nothing for an address that nobody has, and when the address was
     * mailed enough links lately.
     */
    readonly mail: (email: string) => Effect.Effect<void, StoreUnavailable>
    /** Null: the member was removed. */
    readonly issue: (mail: MemberLinkMail) => Effect.Effect<IssuedConsoleLink | null, StoreUnavailable>
    readonly isOpen: (token: string) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * Spends an open link and opens a session. Of more sessions than `memberLimits.mostSessions` of the person the oldest end; `left` is
     * the secret of a session that the browser leaves and that does not count. Null: the link is not open, or somebody else has just
     * spent it.
     */
    readonly signIn: (
      token: string,
      browser: string | null,
      left: string | null
    ) => Effect.Effect<OpenedConsole | null, StoreUnavailable>
  }
>()("journeys/actors/ConsoleLinks") {}
