/** The same widths as for screenshots. */
export const viewportWidths = [375, 768, 1440] as const

export interface FittedViewport {
  /** The size of the frame before scaling. */
  width: number
  height: number
  /** At most 1: pages are not enlarged. */
  scale: number
  /** The distance from the left edge of the box, to centre the frame. */
  left: number
}

/** Fits a viewport of `width` pixels into a box: scaled down if needed, and as high as the box. */
export function fitViewport(width: number, box: { width: number; height: number }): FittedViewport {
  const scale = box.width <= 0 ? 1 : Math.min(1, box.width / width)
  return {
    width,
    height: Math.max(1, Math.round(box.height / scale)),
    scale,
    left: Math.max(0, Math.floor((box.width - width * scale) / 2)),
  }
}

export function readViewportWidth(text: string | null, fallback: number): number {
  return viewportWidths.find((width) => String(width) === text) ?? fallback
}

/** Phone width in a narrow window, else tablet width. */
export function defaultViewportWidth(windowWidth: number): number {
  return windowWidth < 640 ? 375 : 768
}
