/**
 * The members of a company: who may sign in to its console, and in which role. An owner invites and removes members; the last owner
 * stays, and nobody changes or removes themselves. How members sign in is in `http/console`; their sessions and passkeys are
 * resources of their own.
 */
import { Effect } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { Ids } from "../../../actors/kernel/Ids.ts"
import { memberLimits } from "../../../actors/members/limits.ts"
import { Members } from "../../../actors/members/Members.ts"
import { MemberBody, MemberPatch, MemberResource, memberResource, NoticesBody } from "../../../schema/members/Member.ts"
import { exampleOf } from "../../../schema/model.ts"
import { MemberIdParameter, naming, PageQuery } from "../../../schema/decoding/parameters.ts"
import { Asker } from "../../server/endpoints/Asker.ts"
import { ofAnyBody, ofAnyCompany } from "../../server/answers/commonRefusals.ts"
import { answer, described, jsonExample, pageAnswer } from "../../server/endpoints/described.ts"
import { answerOf, refusedWith } from "../../server/answers/envelope.ts"
import { problem, success } from "../../server/answers/problems.ts"
import { pageAsked, pageOf } from "../../server/endpoints/query.ts"
import { operatorResource } from "../../server/endpoints/serve.ts"
import { auditLine, written } from "../frame/change.ts"
import { companyAsked, companyPath, notFound, ofCompany, pages, type AsksForIds } from "../frame/ofCompany.ts"
import { type CompanyId, MemberId } from "../../../schema/ids.ts"

const path = `${companyPath}/members` as const
const ofMember = {
  ...ofCompany,
  memberId: MemberIdParameter.annotate({ description: "The member's id", ...naming("member") })
}

const MemberAnswer = answerOf("MemberAnswer", MemberResource)
const example = exampleOf(MemberResource)

const listMembers = HttpApiEndpoint.get("listMembers", path, {
  params: ofCompany,
  query: PageQuery,
  success: pages("MemberPage", MemberResource),
  error: refusedWith(ofAnyCompany, "VALIDATION_FAILED")
}).annotateMerge(
  described({
    allowedTo: "TEAM",
    summary: "List members",
    description: "Who may sign in to the company's console, in which role. Those who were invited first come first.",
    answer: pageAnswer("Members", example)
  })
)

const inviteMember = HttpApiEndpoint.post("inviteMember", path, {
  params: ofCompany,
  payload: MemberBody,
  success: MemberAnswer.pipe(HttpApiSchema.status(201)),
  error: refusedWith(ofAnyCompany, ...ofAnyBody, "CONFLICT")
}).annotateMerge(
  described({
    allowedTo: "OWNER",
    summary: "Invite a member",
    description:
      "Mails the invitation with a link that signs in once. Somebody with this address who is a member already and has never signed in is mailed the invitation again, at most once an hour, and keeps the role. Whoever has signed in asks for a link at `/console/sign-in`.",
    request: jsonExample("Somebody for the team", exampleOf(MemberBody)),
    answer: answer("The member", "Member invited", { ...example, seenAt: null, notices: true, passkeys: 0 })
  })
)

const changeMember = HttpApiEndpoint.patch("changeMember", `${path}/:memberId`, {
  params: ofMember,
  payload: MemberPatch,
  success: MemberAnswer,
  error: refusedWith(ofAnyCompany, ...ofAnyBody, "CONFLICT")
}).annotateMerge(
  described({
    allowedTo: "OWNER",
    summary: "Change a member's role",
    description: "Counts from the member's next request on. The last owner stays an owner.",
    request: jsonExample("Another owner", exampleOf(MemberPatch)),
    answer: answer("The member as they are now", "Member changed", { ...example, role: "OWNER" })
  })
)

const setNotices = HttpApiEndpoint.put("setNotices", `${path}/:memberId/notices`, {
  params: ofMember,
  payload: NoticesBody,
  success: MemberAnswer,
  error: refusedWith(ofAnyCompany, ...ofAnyBody)
}).annotateMerge(
  described({
    allowedTo: "TEAM",
    summary: "Choose who gets mail to the team",
    description:
      "Mail to the team (a review that waits, a check or an application that failed, a mail that did not reach a customer) goes to every member who wants it, each a mail of their own. A member of the team chooses for themselves, an owner for everybody. Mail to owners, such as about a webhook endpoint that is off, goes to every owner.",
    request: jsonExample("No more mail to the team", { notices: false } satisfies typeof NoticesBody.Type),
    answer: answer("The member as they are now", "Member changed", { ...example, notices: false })
  })
)

const removeMember = HttpApiEndpoint.delete("removeMember", `${path}/:memberId`, {
  params: ofMember,
  success: MemberAnswer,
  error: refusedWith(ofAnyCompany, "CONFLICT")
}).annotateMerge(
  described({
    allowedTo: "OWNER",
    summary: "Remove a member",
    description: "The member's sessions end at once, on every node, and the passkeys go. The last owner stays.",
    answer: answer("The member who was removed", "Member removed", example)
  })
)

const lastOwner = () => problem("CONFLICT", "member", "A company needs an owner: make somebody else an owner first")

/** The member of the path, which belongs to the company of the path. */
const memberAsked = Effect.fnUntraced(function* (asked: AsksForIds<"companyId" | "memberId">) {
  const { id: companyId } = yield* companyAsked(asked)
  const id = yield* asked.path("memberId")
  const members = yield* Members
  return (yield* members.find(companyId, id)) ?? (yield* notFound("member"))
})

/** An owner who locks themselves out would need the operator to come back. */
const refuseOneself = Effect.fnUntraced(function* (memberId: MemberId, message: string) {
  const asker = yield* Asker
  if (asker._tag === "Member" && asker.memberId === memberId) return yield* problem("CONFLICT", "member", message)
})

const alreadyThere = (what: string) => problem("CONFLICT", "email", `Somebody with this address ${what}`)

/** A mail was lost, or thrown away. */
const invitedAgain = Effect.fnUntraced(function* (companyId: CompanyId, email: string) {
  const members = yield* Members
  const { details, ...line } = yield* auditLine("member.invited", { again: true })
  const lineOf = (memberId: MemberId) => ({ ...line, details: { memberId, ...details } })
  const invited = yield* written(members.inviteAgain(companyId, email, lineOf))
  switch (invited) {
    case null:
      return yield* notFound("member")
    case "SEEN":
      return yield* alreadyThere("is a member already: they ask for a link of their own where people sign in")
    case "INVITED_JUST_NOW":
      return yield* alreadyThere("was invited less than an hour ago: the invitation can be mailed again later")
    default:
      return memberResource(invited)
  }
})

export const memberOperations = operatorResource([listMembers, inviteMember, changeMember, setNotices, removeMember], {
  listMembers: (asked) =>
    Effect.gen(function* () {
      const { id } = yield* companyAsked(asked)
      const page = pageAsked(yield* asked.query)
      const members = yield* Members
      return pageOf(page, yield* members.list(id, page), memberResource)
    }),

  inviteMember: (asked) =>
    Effect.gen(function* () {
      const { id: companyId } = yield* companyAsked(asked)
      const { email, role } = yield* asked.body
      const members = yield* Members
      const id = MemberId.make((yield* Ids).next())
      const line = yield* auditLine("member.invited", { memberId: id, role })
      switch (yield* written(members.invite({ id, companyId, email, role }, line))) {
        case "THERE":
          return yield* invitedAgain(companyId, email)
        case "FULL":
          return yield* problem("CONFLICT", "member", `A company has at most ${memberLimits.mostMembers} members`)
        case "INVITED":
          return memberResource({
            id,
            companyId,
            email,
            role,
            invitedAt: line.at,
            seenAt: null,
            notices: true,
            passkeys: 0
          })
      }
    }),

  changeMember: (asked) =>
    Effect.gen(function* () {
      const before = yield* memberAsked(asked)
      const { role } = yield* asked.body
      if (role === before.role) return success(200, memberResource(before), "Nothing changed")
      yield* refuseOneself(before.id, "You cannot change your own role: ask another owner to do it")
      const members = yield* Members
      const line = yield* auditLine("member.changed", { memberId: before.id, role })
      const changed = yield* written(members.setRole(before.companyId, before.id, role, line))
      if (changed === "LAST_OWNER") return yield* lastOwner()
      return memberResource(changed ?? (yield* notFound("member")))
    }),

  setNotices: (asked) =>
    Effect.gen(function* () {
      const before = yield* memberAsked(asked)
      const { notices } = yield* asked.body
      const asker = yield* Asker
      if (asker._tag === "Member" && asker.role === "TEAM" && asker.memberId !== before.id) {
        return yield* problem("ROLE_NOT_PERMITTED", "role", "Only an owner of the company chooses for others")
      }
      if (notices === before.notices) return success(200, memberResource(before), "Nothing changed")
      const members = yield* Members
      const line = yield* auditLine("member.notices_changed", { memberId: before.id, notices })
      const changed = yield* written(members.setNotices(before.companyId, before.id, notices, line))
      return memberResource(changed ?? (yield* notFound("member")))
    }),

  removeMember: (asked) =>
    Effect.gen(function* () {
      const member = yield* memberAsked(asked)
      yield* refuseOneself(member.id, "You cannot remove yourself: ask another owner to do it")
      const members = yield* Members
      const line = yield* auditLine("member.removed", { memberId: member.id, role: member.role })
      const removed = yield* written(members.remove(member.companyId, member.id, line))
      if (removed === "LAST_OWNER") return yield* lastOwner()
      if (removed === null) return yield* notFound("member")
      return memberResource(member)
    })
})
