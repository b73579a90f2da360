/** Area codes behind +1 that aren't of the United States. */
const otherCodes = new Set(
  (
    '204 226 236 242 246 249 250 257 263 264 268 273 284 289 306 340 343 345 354 365 367 368 382 403 ' +
    '416 418 428 431 437 438 441 450 468 473 474 506 514 519 548 579 581 584 587 600 604 613 622 633 ' +
    '639 647 649 658 664 670 671 672 683 684 705 709 721 742 753 758 767 778 780 782 784 787 807 809 ' +
    '819 825 829 849 867 868 869 873 876 879 902 905 939 942'
  ).split(' '),
)

const northAmerican = /^\+1([2-9]\d\d)([2-9]\d\d)(\d{4})$/

/**
 * Returns a stored number as it is shown until the phone library has loaded, which may never happen offline: what begins
 * with +1 as the library shows it in the United States.
 */
export function shownBeforeLibrary(number: string, region: string): string {
  if (region !== 'US') return number
  return number.replace(northAmerican, (_, area: string, exchange: string, line: string) =>
    otherCodes.has(area) ? `+1 ${area} ${exchange} ${line}` : `(${area}) ${exchange}-${line}`,
  )
}
