const none: ReadonlySet<never> = new Set()

/** Creates the rooms of comment channels, with the sockets in each. A socket is in one room at most. */
export function createRooms<Socket extends object>() {
  const rooms = new Map<string, Set<Socket>>()
  const roomOf = new Map<Socket, string>()
  const accesses = new Map<Socket, () => Promise<void>>()

  function leave(socket: Socket): void {
    const room = roomOf.get(socket)
    if (room === undefined) return
    roomOf.delete(socket)
    accesses.delete(socket)
    const sockets = rooms.get(room)
    sockets?.delete(socket)
    if (sockets?.size === 0) rooms.delete(room)
  }

  return {
    /** Returns the sockets in a room. */
    of: (room: string): ReadonlySet<Socket> => rooms.get(room) ?? none,
    leave,

    /** Adds a socket to a room. `requireAccess` rejects once the room is no longer open to it. */
    join(socket: Socket, room: string, requireAccess: (() => Promise<void>) | undefined): void {
      const sockets = rooms.get(room) ?? new Set()
      rooms.set(room, sockets.add(socket))
      roomOf.set(socket, room)
      if (requireAccess !== undefined) accesses.set(socket, requireAccess)
    },

    /** Removes the sockets to which a room is no longer open, and calls `onLeft` with each. */
    async leaveWithoutAccess(room: string, onLeft: (socket: Socket) => void): Promise<void> {
      await Promise.all(
        [...(rooms.get(room) ?? none)].map(async (socket) => {
          const left = () => {
            leave(socket)
            onLeft(socket)
          }
          await accesses.get(socket)?.().catch(left)
        }),
      )
    },
  }
}
