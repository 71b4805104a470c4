/**
 * Amounts of money in a start: pounds with at most two decimals. Only JSON numbers are accepted, never text that looks like
 * a number.
 */
import { Schema } from "effect"
import { startFieldLimits } from "./limits.ts"

const { mostMoney } = startFieldLimits

/** An amount in pounds, 0 or more. */
export const Money = money(`must be 0 to ${mostMoney} with at most two decimals`, (value) => value >= 0, { minimum: 0 })

/** An amount in pounds, above 0. */
export const PositiveMoney = money(
  `must be above 0, at most ${mostMoney}, with at most two decimals`,
  (value) => value > 0,
  {
    exclusiveMinimum: 0
  }
)

function money(message: string, inRange: (value: number) => boolean, jsonSchema: object) {
  return Schema.Finite.check(
    Schema.makeFilter((value) => inRange(value) && value <= mostMoney && isToThePenny(value), {
      message,
      toJsonSchema: () => [{ ...jsonSchema, maximum: mostMoney }, true]
    })
  ).annotate({ title: "Amount in pounds", description: "At most two decimals" })
}

/** Dividing an amount's pennies by 100 gives the double that is nearest to a decimal with two places. */
const isToThePenny = (value: number): boolean => Math.round(value * 100) / 100 === value
