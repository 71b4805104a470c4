/** What texts of identity documents say about customers. The holder of the first documents is the specimen of ICAO Doc 9303. */
import { describe, expect, it } from "vitest"
import { documentReading, nameWords } from "../../../src/actors/checks/document/documentText.ts"

const anna = { firstName: "Anna Maria", lastName: "Eriksson", dateOfBirth: "1974-08-12" }
const today = "2026-11-23"

const passport = `P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<
L898902C36UTO7408122F3604155ZE184226B<<<<<16`
const card = `I<UTOD231458907<<<<<<<<<<<<<<<
7408122F3604155UTO<<<<<<<<<<<2
ERIKSSON<<ANNA<MARIA<<<<<<<<<<`
const visa = `V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<
L8988901C4XXX7408122F3604155<<<<<<<8`
const licence = `DRIVING LICENCE
1. MORGAN
2. MISS SARAH MEREDYTH
3. 11.03.1976 UNITED KINGDOM
5. MORGA753116SM9IJ`
const sarah = { firstName: "Sarah", lastName: "Morgan", dateOfBirth: "1976-03-11" }

const reading = (text: string, customer: typeof anna | (Omit<typeof anna, "dateOfBirth"> & { dateOfBirth: null })) =>
  documentReading({ text, words: 10, facePart: 0.2 }, customer, today)
const doubtsOf = (...given: Parameters<typeof reading>) => reading(...given).doubts

/** The passport of somebody with these names, as the lines have them. */
const passportOf = (names: string) => passport.replace(/P<UTO.*/, `P<UTO${names}`.padEnd(44, "<"))

describe("a document fits", () => {
  it.each([
    ["the passport of the customer", passport, anna],
    ["the card of the customer", card, anna],
    ["a card or visa of two lines", visa, anna],
    ["a passport, when the start says one of two first names", passport, { ...anna, firstName: "Anna" }],
    ["a passport, when the start says no birth date", passport, { ...anna, dateOfBirth: null }],
    ["lines with spaces that the reader has put in", passport.replaceAll("<", " <"), anna],
    ["fillers that the reader took for letters", passport.replace("MARIA<<<<<<<<<<", "MARIA<<<KKLKLCLK"), anna],
    ["a letter that was read twice before the dates", passport.replace("L898", "LB898"), anna],
    ["digits that the reader took for letters", passport.replace("7408122F", "74O8I22F"), anna],
    ["a name in which the reader has mistaken a letter", passport.replace("ERIKSSON", "ERIKSSQN"), anna],
    ["names with accents", passport, { ...anna, firstName: "Ånna", lastName: "Eríksson" }],
    ["names in another order", passportOf("ANNA<<ERIKSSON"), anna],
    ["a driving licence with names and birth date in print", licence, sarah],
    ["a printed month", licence.replace("11.03.1976", "11 MAR /MARS 76"), sarah]
  ])("%s", (_, text, customer) => {
    expect(reading(text, customer)).toEqual({ fits: true, doubts: [] })
  })

  it.each([
    ["MUELLER<<JOERG", "Jörg", "Müller"],
    ["MULLER<<JORG", "Jörg", "Müller"],
    ["OBRIEN<<SIOBHAN", "Siobhán", "O’Brien"],
    ["SMITH<JONES<<ANN<MARIE", "Ann-Marie", "Smith-Jones"],
    ["DE<LA<CRUZ<<MARIA", "María", "de la Cruz"],
    ["WOJCIECHOWSKA<KOWALCZYKIEWICZ<<ALEXANDR", "Alexandra", "Wojciechowska-Kowalczykiewicz"]
  ])("as %s, to %s %s", (names, firstName, lastName) => {
    expect(doubtsOf(passportOf(names).slice(0, 5 + 39) + passport.slice(44), { ...anna, firstName, lastName })).toEqual(
      []
    )
  })
})

describe("a person must look at a document", () => {
  it.each([
    ["of another last name", passport, { ...anna, lastName: "Svensson" }, ["NAME_DIFFERS"]],
    ["of another first name", passport, { ...anna, firstName: "Elsa" }, ["NAME_DIFFERS"]],
    [
      "of another short name that is like the customer's",
      passportOf("LEE<<ANNA"),
      { ...anna, lastName: "Lea" },
      ["NAME_DIFFERS"]
    ],
    ["of half a double name", passport, { ...anna, lastName: "Eriksson-Holm" }, ["NAME_DIFFERS"]],
    ["of another birth date", passport, { ...anna, dateOfBirth: "1975-08-12" }, ["BIRTH_DATE_DIFFERS"]],
    ["of somebody else altogether", card, sarah, ["NAME_DIFFERS", "BIRTH_DATE_DIFFERS"]],
    ["that has expired", passport.replace("3604155", "1204159"), anna, ["DOCUMENT_EXPIRED"]],
    ["that expired in the last century", passport.replace("3604155", "9404151"), anna, ["DOCUMENT_EXPIRED"]],
    [
      "whose birth date has a wrong check digit",
      passport.replace("7408122F", "7408123F"),
      anna,
      ["DOCUMENT_UNREADABLE"]
    ],
    [
      "that is a passport whose lines are covered, whatever stands in print",
      "PASSPORT PASSEPORT\nERIKSSON\nANNA MARIA\n12 AUG /AOUT 74",
      anna,
      ["DOCUMENT_UNREADABLE"]
    ],
    ["whose lines are half read", passport.replace(/L898.*/, "L898S0-C36UT"), anna, ["DOCUMENT_UNREADABLE"]],
    [
      "when the customer's name has other letters than documents have",
      passport,
      { ...anna, lastName: "Ерикссон" },
      ["DOCUMENT_UNREADABLE"]
    ]
  ] as const)("%s", (_, text, customer, doubts) => {
    expect(reading(text, customer)).toEqual({ fits: false, doubts })
  })

  it("on the day after its last day, and not on that day", () => {
    const seen = { text: passport, words: 10, facePart: 0.2 }
    expect(documentReading(seen, anna, "2036-04-15").doubts).toEqual([])
    expect(documentReading(seen, anna, "2036-04-16").doubts).toEqual(["DOCUMENT_EXPIRED"])
  })

  it("that has hardly a word, or whose face fills the picture", () => {
    for (const seen of [
      { text: passport, words: 3, facePart: 0.2 },
      { text: passport, words: 10, facePart: 0.41 }
    ]) {
      expect(documentReading(seen, anna, today)).toEqual({ fits: false, doubts: ["NO_DOCUMENT"] })
    }
  })
})

describe("a text without machine-readable lines says nothing", () => {
  it.each([
    ["a text about something else", "VEHICLE REGISTRATION CERTIFICATE\nAB12 CDE", anna],
    ["a printed document of another name, which may have been misread", licence, { ...sarah, lastName: "Hughes" }],
    ["names without the birth date that is known", licence.replace("11.03.1976", "1l.O3.l976"), sarah]
  ])("%s", (_, text, customer) => {
    expect(reading(text, customer)).toEqual({ fits: false, doubts: [] })
  })
})

it("names become the words that machine-readable lines have", () => {
  expect(nameWords("Łukasz O’Brien-Sørensen")).toEqual(["LUKASZ", "OBRIEN", "SOERENSEN"])
  expect(nameWords("Großmann")).toEqual(["GROSSMANN"])
})
