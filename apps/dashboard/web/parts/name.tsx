// The name of a person or a key, or an id: a long one breaks between words and after an @, and inside a word only if
// the word is longer than the column. A column is as wide as its longest word.
import { Fragment } from "react";

/** A name up to this length takes one line in every column. */
const SHORT_CHARS_MAX = 20;

export function Name({ children: name }: { children: string }) {
  if (name.length <= SHORT_CHARS_MAX) return <span className="whitespace-nowrap">{name}</span>;
  const [first = "", ...rest] = name.split("@");
  return (
    <span className="wrap-break-word xl:inline-block xl:max-w-60">
      {first}
      {rest.map((part, index) => (
        <Fragment key={index}>
          @<wbr />
          {part}
        </Fragment>
      ))}
    </span>
  );
}
