/** Where the customer of a journey is signed in, as the company's team sees it. It shows no secret and no browser. */
import { Schema } from "effect"
import { exampleId } from "../exampleId.ts"
import { fixedField, ModelClass, named } from "../model.ts"
import { momentField } from "../moment.ts"

export class ListedCustomerSession extends ModelClass<ListedCustomerSession>("ListedCustomerSession")({
  id: fixedField(Schema.String, { example: exampleId("customerSession", 1) }),
  openedBy: fixedField(
    Schema.Literals(["MAIL", "QR_CODE"]).annotate({
      description: "A link in a mail, or one that an open session showed as a QR code for a telephone"
    }),
    { example: "MAIL" }
  ),
  openedAt: momentField("2026-01-15T10:31:07.218Z"),
  seenAt: momentField("2026-01-15T10:44:52.006Z")
}) {}

export const CustomerSessionResource = named(ListedCustomerSession.resource, "CustomerSession")
export type CustomerSessionResource = typeof CustomerSessionResource.Type

export const customerSessionResource: (session: ListedCustomerSession) => CustomerSessionResource = Schema.encodeSync(
  ListedCustomerSession.shown
)
