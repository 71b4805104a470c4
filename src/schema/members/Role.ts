/**
 * The roles of a company's members. Who has which role is in the members' rows; what a role permits is said by each operation
 * of the settings API (`allowedTo`).
 */
import { Schema } from "effect"

/** TEAM reads, reviews and does the team's steps. OWNER does everything of the company. */
export const Role = Schema.Literals(["TEAM", "OWNER"])
export type Role = typeof Role.Type

/** Whether somebody with this role may do what asks for the least role. */
export const suffices = (role: Role, least: Role): boolean => role === "OWNER" || least === "TEAM"
