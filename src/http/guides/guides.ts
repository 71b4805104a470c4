/**
 * The guides in the order in which people read them, and what each guide shows. A guide is a page of docs, or parts of a page;
 * the guide to the journeys is drawn from the rules. A guide is made once, when somebody first asks for it.
 */
import { readFileSync } from "node:fs"
import { guidesPath } from "./guideFrame.ts"
import { journeysGuide } from "./journeysGuide.ts"
import { rendered, type LinkTo, type Rendered } from "./markdown.ts"

export interface Guide {
  readonly name: string
  readonly title: string
  readonly about: string
  readonly page: () => Rendered
}

const docs = new URL("../../../docs/", import.meta.url)

const aboutWebhooks: ReadonlySet<string> = new Set(["Webhooks", "Reading events", "Webhooks on your own machine"])

const once = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | null = null
  return () => (made ??= { value: make() }).value
}

/** Where links to the pages of docs lead. The anchors of one page may be in two guides. */
const linkTo: LinkTo = (page, anchor) => {
  const isOfWebhooks = page === "integrators" && /webhook|events|delivered|receiver/.test(anchor)
  const name = isOfWebhooks ? "webhooks" : page
  return guides.some((guide) => guide.name === name) ? `${guidesPath}/${name}${anchor}` : null
}

const fromDocs = (file: string, isShown: (part: string) => boolean = () => true) =>
  once(() => rendered(readFileSync(new URL(`${file}.md`, docs), "utf8"), linkTo, isShown))

export const guides: ReadonlyArray<Guide> = [
  {
    name: "start",
    title: "Start in five minutes",
    about: "From a test key to a journey that is complete, with five requests, and to its first signed webhook.",
    page: fromDocs("start")
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
    page: fromDocs("integrators", (part) => !aboutWebhooks.has(part))
  },
  {
    name: "webhooks",
    title: "Webhooks and events",
    about: "Endpoints, what counts as delivered, verifying a webhook, reading events, webhooks on your own machine.",
    page: fromDocs("integrators", (part) => aboutWebhooks.has(part))
  },
  {
    name: "going-live",
    title: "Going live",
    about: "What a company and a program need before the first real customer.",
    page: fromDocs("going-live")
  },
  {
    name: "changelog",
    title: "Changelog",
    about: "What callers can notice, newest first.",
    page: fromDocs("changelog")
  }
]
