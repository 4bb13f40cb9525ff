// Shown at a path without a page.
import { Link } from "react-router";
import { Page } from "../parts/page.tsx";
import { Empty } from "../parts/states.tsx";

export function NotFoundPage() {
  return (
    <Page title="Not found">
      <Empty title="There is no page at this address.">
        <Link to="/" className="text-accent-ink underline">
          Go to the first page
        </Link>
      </Empty>
    </Page>
  );
}
