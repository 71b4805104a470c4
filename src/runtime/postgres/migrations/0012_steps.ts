/**
 * The steps that a link can ask for are listed in `schema/journey/steps.ts` and nowhere else: migration 6 listed them a
 * second time, so that a link of a new step would have been refused when it was issued.
 */
export const sql = `
alter table sign_in_links drop constraint sign_in_links_step_check;
`
