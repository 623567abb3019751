import BookOutput
import FoundationEssentials

/// Posts a summary of a run to an address, as Slack, Mattermost, Matrix bridges and services of one's own take it.
///
/// `curl` does it, which is wherever such services are talked to: it keeps TLS, proxies and certificates, all of which have to be kept
/// up to date, out of this program.
package enum Webhook {
  private struct Message: Encodable {
    /// For people, in one paragraph.
    var text: String
    var headline: String
    var revision: String
    var summary: RunSummary
    /// Open ones, the worst first.
    var clusters: [Cluster]

    struct Cluster: Encodable {
      var id: String
      var kind: String
      var severity: String
      var summary: String
      var extent: String
    }
  }

  private static let maximumClusters = 10
  private static let seconds = 30

  package static func message(_ report: RunReport) -> [UInt8] {
    let summary = report.summary
    let open = report.openClusters
    var lines = [
      "typeset snapshot" + (report.revision.isEmpty ? "" : " at \(report.revision)") + ": \(report.headline)"
        + ", \(summary.undecided) to be decided"
    ]
    for cluster in open.prefix(3) { lines.append("\(cluster.id) \(cluster.summary): \(cluster.extent)") }
    return Files.json(
      Message(
        text: lines.joined(separator: "\n"), headline: report.headline, revision: report.revision, summary: summary,
        clusters: open.prefix(maximumClusters).map {
          Message.Cluster(
            id: $0.id, kind: $0.kind.rawValue, severity: $0.severity.name, summary: $0.summary, extent: $0.extent)
        }))
  }

  /// Posts the summary. Fails with 69 where there is no `curl`, and with 73 where the address does not take it.
  ///
  /// - Parameter folder: for the message while it is sent.
  package static func post(_ report: RunReport, to address: String, folder: String) throws(HarnessError) {
    let place = Files.join(folder, ".webhook-\(RunEvent("").time)")
    defer { Files.remove(place) }
    try Files.write(message(report), to: Files.join(place, "message.json"))
    // The address may hold a secret: other users see the words of a command, not those of a file.
    let quoted = address.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    let settings = """
      url = "\(quoted)"
      header = "Content-Type: application/json"
      data-binary = "@message.json"
      proto = "=http,https"
      output = "/dev/null"
      max-time = \(seconds)
      fail
      silent
      show-error

      """
    try Files.write(settings, to: Files.join(place, "curl"))
    var limits = UnitLimits()
    limits.seconds = Double(seconds + 5)
    var curl = ChildProcess(["/usr/bin/env", "curl", "--disable", "--config", "curl"], folder: place, limits: limits)
    curl.refusesNetwork = false
    let names = ["PATH", "HOME", "http_proxy", "https_proxy", "no_proxy", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE"]
    for name in names { curl.environment[name] = ProcessInfo.processInfo.environment[name] }
    let outcome = curl.run(isStopped: { Interruption.isRequested })
    switch outcome.end {
    case .exited(0): return
    case .exited(126), .exited(127), .notStarted:
      throw HarnessError(69, "the webhook needs curl, which is not installed")
    default:
      let reason = outcome.output.split(separator: "\n").last.map(String.init) ?? "no answer"
      throw HarnessError(73, "the webhook does not take the summary: \(reason.replacing(address, with: "its address"))")
    }
  }
}
