import { seedArticles } from './articles/index.ts'
import { day20220712 } from './days/2022-07-12.ts'
import { day20230824 } from './days/2023-08-24.ts'
import { day20240726 } from './days/2024-07-26.ts'
import { day20241009 } from './days/2024-10-09.ts'
import { seedMembers } from './members.ts'
import { seedPerson } from './person.ts'
import { seedSecureContents, yearlyArticle, yearlyGroup } from './secure-contents.ts'
import { todaySetA } from './today-a.ts'
import { todaySetB } from './today-b.ts'
import type { SeedDay, SeedEdition } from './types.ts'

export { seedArticles, seedMembers, seedPerson, seedSecureContents, yearlyArticle, yearlyGroup }

/** Four past days, oldest first, three editions each. */
export const seedDays: readonly SeedDay[] = [day20220712, day20230824, day20240726, day20241009]

/** Two sets of three editions from the record, fit for any current date because every memo states its own. */
export const todaySets: readonly (readonly SeedEdition[])[] = [todaySetA, todaySetB]

/** Returns the address of a drawing's SVG file. */
export function drawingUrl(name: string): URL {
  return new URL(`./drawings/${name}`, import.meta.url)
}
