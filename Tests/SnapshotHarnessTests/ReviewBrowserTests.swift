import FoundationEssentials
import Primitives
import Testing

@testable import SnapshotHarness

/// A review in a real browser, as narrow as a telephone. The server's answers are given to the page by a script.
@Suite(
  .enabled(if: Browser.path != nil && LittleCorpus.canRun, "Chromium is not installed, or \(LittleCorpus.needs)"),
  .serialized)
struct ReviewBrowserTests {
  private static let root = "/\(ReviewedRun.token)/"
  private static let page = "one:ereader:1"

  /// What a script that is given to the page tells. Windows of Chromium are no narrower than 500 px: frames are.
  private func told<Told: Decodable>(
    _ review: ReviewedRun, answers: [ReviewResponse], at hash: String = "", _ script: String, as type: Told.Type
  ) throws -> Told {
    let page = String(decoding: review.get(Self.root).body, as: UTF8.self)
    let style = try #require(page.firstRange(of: "<style>")).lowerBound
    func text(_ response: ReviewResponse) -> String { String(decoding: response.body, as: UTF8.self) }
    let drawing = review.get(Self.root + "pages/" + Self.page)
    #expect(drawing.status == 200)
    let hand = """
      <script>
      const answers = [\(answers.map(text).joined(separator: ","))], drawing = \(text(drawing)), posted = [];
      globalThis.fetch = async (address, options) => {
        if (options?.method === "POST") posted.push(JSON.parse(options.body));
        const answer = address.startsWith("pages/") ? drawing : address.startsWith("elements/") ? [] : answers[posted.length];
        return new Response(JSON.stringify(answer), { headers: { "content-type": "application/json" } });
      };
      const pause = () => new Promise(done => setTimeout(done, 200));
      const find = selector => document.querySelector(selector);
      addEventListener("load", async () => {
        await pause();
        const told = {};
        \(script)
        parent.postMessage(told, "*");
      });
      </script>
      """
    let folder = review.corpus.folder
    try Files.write(String(page[..<style] + hand + page[style...]), to: folder["review.html"])
    try Files.write(
      """
      <!DOCTYPE html><iframe src="review.html\(hash)" width="390" height="844"></iframe><script>
      addEventListener("message", event => document.body.append("told:" + encodeURIComponent(JSON.stringify(event.data)) + ";"));
      </script>
      """, to: folder["frame.html"])
    let document = try Browser.document(folder["frame.html"], in: folder)
    let parts = document.components(separatedBy: "told:")
    let json = try #require(parts.count > 1 ? parts[parts.count - 1].split(separator: ";").first : nil)
    return try JSONDecoder().decode(type, from: Data(PercentEncoding.decoded(String(json)).utf8))
  }

  @Test func `No view is wider than a telephone`() throws {
    struct Told: Decodable {
      var width: Int
      var beyond: [String]
    }
    let review = try ReviewedRun()
    let views = [
      "", "#books", "#cluster=\(try review.clusters[0].id)", "#book=one&profile=ereader", "#page=\(Self.page)",
      "#page=\(Self.page)&mode=slider",
    ]
    for view in views {
      let told = try told(
        review, answers: [review.get(Self.root + "state")], at: view,
        """
        told.width = document.documentElement.scrollWidth;
        told.beyond = [...document.querySelectorAll("button, input, select, h1, h2")]
          .filter(element => element.getBoundingClientRect().right > innerWidth).map(element => element.outerHTML);
        """, as: Told.self)
      #expect(told.width <= 390 && told.beyond.isEmpty, "\(view): \(told.width) px, \(told.beyond)")
    }
  }

  @Test func `The box for a name is at hand, and what is open is counted after each decision`() throws {
    struct Told: Decodable {
      var isOnTop: Bool
      var box: [Double]
      var asked: [String]
      var open: [String]
      var undecided: [String]
      var posted: [[String: String]]
    }
    let review = try ReviewedRun()
    let clusters = try review.clusters.map(\.id)
    var answers = [review.get(Self.root + "state")]
    for cluster in clusters {
      answers.append(
        try review.post(["action": "accepted", "cluster": cluster, "by": "Grace", "text": "r", "seen": 0]))
    }
    let told = try told(
      review, answers: answers,
      """
      const who = find("#reviewer"), box = who.getBoundingClientRect();
      told.box = [box.left, box.top, box.right, box.bottom];
      told.isOnTop = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2) === who;
      who.focus();
      who.select();
      document.execCommand("insertText", false, "Grace");
      const count = () => {
        told.open.push(find("#open").textContent);
        told.undecided.push(find("#undecided dd").textContent);
      };
      [told.open, told.undecided, told.asked] = [[], [], []];
      count();
      for (const cluster of \(clusters)) {
        find(`[data-keep="accepted-${cluster}"]`).click();
        const dialog = find("#decide").getBoundingClientRect();
        if (dialog.left < 0 || dialog.right > innerWidth) told.asked.push("the dialog is too wide");
        told.asked.push(find("#decide-by").value);
        find("#decide-text").value = "r";
        find("#decide button[type=submit]").click();
        await pause();
        count();
      }
      told.posted = posted.map(({ cluster, by }) => ({ cluster, by }));
      """, as: Told.self)
    #expect(told.isOnTop && told.box[0] >= 0 && told.box[2] <= 390 && told.box[3] <= 844)
    #expect(told.box[2] - told.box[0] >= 120 && told.box[3] - told.box[1] >= 24, "\(told.box)")
    #expect(told.asked == ["Grace", "Grace"])
    #expect(told.posted == clusters.map { ["cluster": $0, "by": "Grace"] })
    #expect(told.open == ["2 open", "1 open", "nothing open"])
    #expect(told.undecided == ["2", "1", "0"])
  }
}
