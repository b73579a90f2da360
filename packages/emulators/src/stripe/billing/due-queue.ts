/** Something that falls due; of two at the same time the one of lower rank comes first. */
export type Due<Task> = { at: number; rank: number; task: Task }

/** What is due next comes out first. */
type DueQueue<Task> = { add(due: Due<Task>): void; take(): Due<Task> | undefined }

/** A heap, so that a year of a thousand subscriptions is walked through quickly. */
export function createDueQueue<Task>(): DueQueue<Task> {
  const heap: Due<Task>[] = []

  function swap(one: number, other: number) {
    const [first, second] = [heap[one], heap[other]]
    if (!first || !second) return
    heap[one] = second
    heap[other] = first
  }

  function isBefore(one: number, other: number) {
    const [first, second] = [heap[one], heap[other]]
    if (!first || !second) return false
    return first.at === second.at ? first.rank < second.rank : first.at < second.at
  }

  return {
    add(due) {
      heap.push(due)
      let place = heap.length - 1
      while (place > 0) {
        const parent = (place - 1) >> 1
        if (!isBefore(place, parent)) return
        swap(place, parent)
        place = parent
      }
    },
    take() {
      swap(0, heap.length - 1)
      const first = heap.pop()
      let place = 0
      while (true) {
        const [left, right] = [2 * place + 1, 2 * place + 2]
        const least = isBefore(right, left) ? right : left
        if (!isBefore(least, place)) return first
        swap(place, least)
        place = least
      }
    },
  }
}
