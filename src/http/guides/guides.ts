/**
 * The guides in the order in which people read them, and what each guide shows. A guide is a page of docs, or parts of a page;
 * the guide to the journeys is drawn from the rules. A guide is made once, when somebody first asks for it.
 */
import { readFileSync } from "node:fs"
import { guidesPath } from "./guideFrame.ts"
import { journeysGuide } from "./journeysGuide.ts"
import { anchorsOf, rendered, type IsShown, type LinkTo, type Rendered } from "./markdown.ts"

export interface Guide {
  readonly name: string
  readonly title: string
  readonly about: string
  readonly page: () => Rendered
  /** Whether a link to this anchor of a page of docs leads here; "" is the page itself. */
  readonly has?: (page: string, anchor: string) => boolean
}

const docs = new URL("../../../docs/", import.meta.url)

const aboutWebhooks: ReadonlySet<string> = new Set(["Webhooks", "Reading events", "Webhooks on your own machine"])

const once = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | null = null
  return () => (made ??= { value: make() }).value
}

/** Where links to the pages of docs lead: to the guide that shows the heading. The headings of one page may be in two guides. */
const linkTo: LinkTo = (page, anchor) => {
  const guide = guides.find(({ has }) => has?.(page, anchor))
  return guide === undefined ? null : `${guidesPath}/${guide.name}${anchor}`
}

const fromDocs = (file: string, isShown: IsShown = () => true): Pick<Guide, "has" | "page"> => {
  const markdown = once(() => readFileSync(new URL(`${file}.md`, docs), "utf8"))
  const anchors = once(() => anchorsOf(markdown(), isShown))
  return {
    page: once(() => rendered(markdown(), linkTo, isShown)),
    has: (page, anchor) => page === file && (anchor === "" || anchors().has(anchor))
  }
}

export const guides: ReadonlyArray<Guide> = [
  {
    name: "start",
    title: "Start in five minutes",
    about: "From a test key to a journey that is complete, with five requests, and to its first signed webhook.",
    ...fromDocs("start")
  },
  {
    name: "journeys",
    title: "How journeys go",
    about: "Each shape of a journey, step by step, with its events and mails, and where it can go another way.",
    page: once(journeysGuide)
  },
  {
    name: "integrators",
    title: "Requests, answers and photos",
    about: "Keys, the sandbox, client packages, asking before you call, and what a photo must be.",
    ...fromDocs("integrators", (part) => !aboutWebhooks.has(part))
  },
  {
    name: "webhooks",
    title: "Webhooks and events",
    about: "Endpoints, what counts as delivered, verifying a webhook, reading events, webhooks on your own machine.",
    ...fromDocs("integrators", (part) => aboutWebhooks.has(part))
  },
  {
    name: "going-live",
    title: "Going live",
    about: "What a company and a program need before the first real customer.",
    ...fromDocs("going-live")
  },
  {
    name: "team",
    title: "For the team of a company",
    about: "The console, what customers see, reviews, mail, and what to do when a customer asks for their data.",
    ...fromDocs("team", (part) => part !== "Live journeys")
  },
  {
    name: "changelog",
    title: "Changelog",
    about: "What callers can notice, newest first.",
    ...fromDocs("changelog")
  }
]
