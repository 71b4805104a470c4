/** `journeys brand` against a running ground.service. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { makeCompany } from "../../support/companies.ts"
import { logoOf } from "../../support/logos.ts"
import { useCommands } from "./commandGround.ts"

const ground = useCommands()

const set = (company: string, ...flags: ReadonlyArray<string>) => ground.journeys("brand", "set", company, ...flags)

it("sets what is named, the logo from a file, and takes away what is none", async () => {
  const { id } = await makeCompany(ground.service)
  await writeFile(join(ground.folder, "logo.png"), logoOf(40, 20))
  const words = ["--colour", "#c8102e", "--telephone", "+44 113 496 0000", "--hours", "Monday to Friday"]
  const made = await set(id, "--logo", join(ground.folder, "logo.png"), ...words, "--json")
  expect([made.code, made.stderr]).toEqual([0, ""])
  expect(JSON.parse(made.stdout)).toEqual({
    logo: { digest: expect.stringMatching(/^[0-9a-f]{64}$/), type: "image/png", width: 40, height: 20 },
    colour: "#c8102e",
    telephone: "+44 113 496 0000",
    hours: "Monday to Friday",
    returnUrl: null,
    hoursIn: {}
  })
  const changed = await set(id, "--logo", "none", "--hours", "none", "--json")
  expect(JSON.parse(changed.stdout)).toMatchObject({ logo: null, hours: null, colour: "#c8102e" })
  const translated = await set(id, "--hours-pl", "Od poniedziałku do piątku", "--hours-cy", "Llun i Gwener", "--json")
  expect(JSON.parse(translated.stdout).hoursIn).toEqual({ cy: "Llun i Gwener", pl: "Od poniedziałku do piątku" })
  const less = await set(id, "--hours-cy", "none", "--json")
  expect(JSON.parse(less.stdout)).toMatchObject({
    colour: "#c8102e",
    hoursIn: { pl: "Od poniedziałku do piątku" }
  })
})

it("says in one line what is wrong, and changes nothing", async () => {
  const { id } = await makeCompany(ground.service)
  const notes = join(ground.folder, "notes.txt")
  await writeFile(notes, "no image")
  for (const [flags, said] of [
    [["--logo", "missing.png"], "--logo: the file missing.png cannot be read: it is not there (ENOENT)"],
    [["--logo", notes], "brand.logo must be a JPEG or PNG image"],
    [["--colour", "red", "--telephone", "0113 496 0000"], "must be a colour such as #1a56ab"]
  ] as const) {
    const refused = await set(id, ...flags)
    expect([refused.code, refused.stdout]).toEqual([1, ""])
    expect(refused.stderr).toContain(said)
    expect(refused.stderr).not.toContain("    at ")
  }
  expect(
    await ground.service.query("select from companies where id = $1 and brand->>'colour' is not null", [id])
  ).toEqual([])
})
