/** What texts of identity documents say about customers. The holder of the first documents is the specimen of ICAO Doc 9303. */
import { describe, expect, it } from "vitest"
import { documentReading, nameWords } from "../../../src/actors/checks/documentText.ts"

const anna = { firstName: "Anna Maria", lastName: "Eriksson", dateOfBirth: "1974-08-12" }

const passport = `P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<
L898902C36UTO7408122F1204159ZE184226B<<<<<10`
const card = `I<UTOD231458907<<<<<<<<<<<<<<<
7408122F1204159UTO<<<<<<<<<<<6
ERIKSSON<<ANNA<MARIA<<<<<<<<<<`
const licence = `DRIVING LICENCE
1. MORGAN
2. MISS SARAH MEREDYTH
3. 11.03.1976 UNITED KINGDOM
5. MORGA753116SM9IJ`
const sarah = { firstName: "Sarah", lastName: "Morgan", dateOfBirth: "1976-03-11" }

describe("a document fits", () => {
  it.each([
    ["the passport of the customer", passport, anna],
    ["the card of the customer", card, anna],
    ["a passport, when the start says one of two first names", passport, { ...anna, firstName: "Anna" }],
    ["a passport, when the start says no birth date", passport, { ...anna, dateOfBirth: null }],
    ["lines with spaces that the reader has put in", passport.replaceAll("<", " <"), anna],
    [
      "a name in which the reader has mistaken a letter",
      passport.replace("ERIKSSON", "ERIKSS0N".replace("0", "Q")),
      anna
    ],
    ["names with accents", passport, { ...anna, firstName: "Ånna", lastName: "Eríksson" }],
    ["a driving licence with names and birth date in print", licence, sarah],
    ["a printed month", licence.replace("11.03.1976", "11 MAR /MARS 76"), sarah]
  ])("%s", (_, text, customer) => {
    expect(documentReading(text, customer)).toBe("FITS")
  })
})

describe("a document is somebody else's", () => {
  it.each([
    ["another last name", passport, { ...anna, lastName: "Svensson" }],
    ["another first name", passport, { ...anna, firstName: "Elsa" }],
    ["another birth date", passport, { ...anna, dateOfBirth: "1975-08-12" }],
    ["another name on a card", card, { ...anna, lastName: "Holm" }]
  ])("%s", (_, text, customer) => {
    expect(documentReading(text, customer)).toBe("DIFFERS")
  })
})

describe("a text says nothing", () => {
  it.each([
    ["no text at all", "", anna],
    ["a text about something else", "VEHICLE REGISTRATION CERTIFICATE\nAB12 CDE", anna],
    ["a printed document of another name, which may have been misread", licence, { ...sarah, lastName: "Hughes" }],
    ["names without the birth date that is known", licence.replace("11.03.1976", "1l.O3.l976"), sarah],
    [
      "another name in lines whose check digits are wrong",
      passport.replace("7408122F", "7408123F"),
      { ...anna, lastName: "Holm" }
    ]
  ])("%s", (_, text, customer) => {
    expect(documentReading(text, customer)).toBe("UNREAD")
  })

  it("a short name that is only like the customer's", () => {
    const text = passport.replace("ERIKSSON<<ANNA<MARIA<", "LEE<<ANNA<MARIA<<<<<<").replace("7408122F", "7408123F")
    expect(documentReading(text, { ...anna, lastName: "Lea" })).toBe("UNREAD")
  })
})

it("names become the words that machine-readable lines have", () => {
  expect(nameWords("Łukasz O’Brien-Sørensen")).toEqual(["LUKASZ", "O", "BRIEN", "SOERENSEN"])
  expect(nameWords("Großmann")).toEqual(["GROSSMANN"])
})
