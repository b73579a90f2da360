import type { SeedArticle } from '../types.ts'
import { leapSecond } from './leap-second.ts'
import { montrealProtocol } from './montreal-protocol.ts'
import { seedVault } from './seed-vault.ts'
import { standardContainer } from './standard-container.ts'

/** Four essays behind the gate, in list order. */
export const seedArticles: readonly SeedArticle[] = [
  leapSecond,
  standardContainer,
  seedVault,
  montrealProtocol,
]
