import { type DeliveryMethod, factsOf, replacementsOf } from '@tidings/contracts/delivery/methods'
import { Prisma } from '#generated/prisma/client.ts'

/** Returns the condition that a row of `member` receives a method: `methodsOf` of the contracts in SQL. */
export function isChosen(method: DeliveryMethod): Prisma.Sql {
  const others = replacementsOf(method).map((other) => Prisma.sql`NOT ${isStored(other)}`)
  return Prisma.join([isStored(method), ...others], ' AND ')
}

function isStored(method: DeliveryMethod): Prisma.Sql {
  return Prisma.sql`coalesce(member.custom_fields->>${factsOf(method).field} = 'true', false)`
}
