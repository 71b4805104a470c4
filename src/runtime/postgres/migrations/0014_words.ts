/**
 * The language of customers: of a company for those who have said nothing, and of each customer who has. The languages
 * themselves are listed in `schema/words/locale/languages.ts` and nowhere else.
 */
export const sql = `
alter table companies add column language text not null default 'en';
alter table customers add column language text;
alter table customers add column language_chosen boolean not null default false;
`
