import { networksOf } from '#http/limits/networks.ts'

/** Creates the counts of open sockets by network. */
export function createNetworkCounts<Socket extends object>() {
  const addressOf = new Map<Socket, string>()
  const countByNetwork = new Map<string, number>()

  function count(address: string, change: 1 | -1): void {
    for (const { name } of networksOf(address)) {
      const count = (countByNetwork.get(name) ?? 0) + change
      if (count === 0) countByNetwork.delete(name)
      else countByNetwork.set(name, count)
    }
  }

  return {
    /** Returns whether one of an address's networks has its most sockets open; a wide network has its share. */
    isFull: (address: string, socketsPerNetwork: number): boolean =>
      networksOf(address).some(
        ({ name, share }) => (countByNetwork.get(name) ?? 0) >= share * socketsPerNetwork,
      ),

    add(socket: Socket, address: string): void {
      addressOf.set(socket, address)
      count(address, 1)
    },

    remove(socket: Socket): void {
      const address = addressOf.get(socket)
      if (address !== undefined) count(address, -1)
      addressOf.delete(socket)
    },
  }
}
