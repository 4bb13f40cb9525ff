// Cuts off what is longer than its line on a narrow screen, where a row of a list takes at most two lines.
export const CLIPPED =
  "max-xl:overflow-clip max-xl:text-ellipsis max-xl:whitespace-nowrap max-xl:[overflow-clip-margin:0.25rem] max-xl:[&_wbr]:hidden";
